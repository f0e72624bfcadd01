// The echo and what makes it slow, large or broken.
#include "tests/shell/http/application.hpp"

#include <new>
#include <stdexcept>
#include <string_view>
#include <sys/mman.h>
#include <unistd.h>
#include <utility>

#include <doctest/doctest.h>

namespace svc::http::test {

Plan Echo::plan(const RequestHead& head) {
    const std::string_view target = head.target;
    if (target == "/plan-throws")
        throw std::runtime_error("secret");
    Plan plan;
    plan.body_limit = target.starts_with("/upload") ? 64 << 20 : body_limit;
    plan.proven_body_limit = target.starts_with("/checked") ? 64 << 20 : 0;
    plan.waits = target.starts_with("/pool") || target.starts_with("/held") || target.starts_with("/webhook") ||
                 target.starts_with("/checkout");
    plan.lane = target.starts_with("/webhook")    ? Lane::webhook
                : target.starts_with("/checkout") ? Lane::checkout
                                                  : Lane::general;
    return plan;
}

std::optional<Response> Echo::answer_at_once(Request& request) {
    if (request.target.starts_with("/later"))
        return std::nullopt;
    return answer(std::move(request));
}

Response Echo::answer(Request&& request) {
    const std::string_view target = request.target;
    if (target.starts_with("/later") != request.tried)
        throw std::logic_error("only what was tried is put off");
    {
        std::unique_lock lock(mutex_);
        if (seen_.size() < 10'000)
            seen_.insert(request.target);
        if (target.starts_with("/held") || target == "/checkout/held" || target == "/stalled") {
            ++held_;
            changed_.notify_all();
            changed_.wait(lock, [&] { return released_; });
        }
    }
    if (target.ends_with("/throw"))
        throw std::runtime_error("secret");
    if (target.ends_with("/throw-42"))
        throw 42;
    if (target.ends_with("/no-memory"))
        throw std::bad_alloc();
    if (target.ends_with("/split"))
        return {302, {{"Location", "/a\r\nSet-Cookie: stolen=1"}}, nullptr};
    if (target.ends_with("/fresh")) {
        {
            const std::lock_guard lock(mutex_);
            ++made_;
        }
        return {200, {}, std::make_shared<const std::string>(fresh_size, 'f')};
    }
    if (target.ends_with("/big"))
        return {200, {}, big_};
    if (target.ends_with("/file") || target.ends_with("/short"))
        return from_file(target.ends_with("/short"));
    if (target == "/peer")
        return {200, {}, std::make_shared<const std::string>(request.peer)};
    if (target.ends_with("/no-content"))
        return {204, {}, nullptr};
    if (target.starts_with("/upload") || target.starts_with("/checked"))
        return {200, {}, std::make_shared<const std::string>(std::to_string(request.body.size()))};
    return {200,
            {{"Content-Type", "text/plain"}, {"X-Query", std::string(request.header("x-query"))}},
            std::make_shared<const std::string>(request.method + ' ' + request.target + ' ' + request.body)};
}

Response Echo::from_file(bool cut) {
    const int file = ::memfd_create("answer", MFD_CLOEXEC);
    REQUIRE(::ftruncate(file, cut ? 100'000 : big_size) == 0);
    const std::string start = "start", end = "end";
    REQUIRE(::pwrite(file, start.data(), start.size(), 0) == 5);
    if (!cut)
        REQUIRE(::pwrite(file, end.data(), end.size(), big_size - 3) == 3);
    return {200, {}, nullptr, std::make_shared<const OpenFile>(file, big_size)};
}

std::optional<Response> Echo::refusal_of_head(const Request& head) {
    const std::string authorization(head.header("authorization"));
    if (authorization == "held") {
        std::unique_lock lock(mutex_);
        ++held_;
        changed_.notify_all();
        changed_.wait(lock, [&] { return released_; });
    }
    if (authorization == "bad")
        return Response{401, {}, std::make_shared<const std::string>("not you")};
    return std::nullopt;
}

Response Echo::failure(int status, const std::vector<Header>& fields) {
    std::string of = "failure " + std::to_string(status);
    for (const auto& [name, value] : fields)
        if (name == "Origin")
            of += " of " + value;
    return {status, {}, std::make_shared<const std::string>(std::move(of))};
}

void Echo::release() {
    const std::lock_guard lock(mutex_);
    released_ = true;
    changed_.notify_all();
}

void Echo::wait_for_held(std::size_t count) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return held_ >= count; });
}

std::size_t Echo::made() {
    const std::lock_guard lock(mutex_);
    return made_;
}

bool Echo::saw(const std::string& target) {
    const std::lock_guard lock(mutex_);
    return seen_.contains(target);
}

Fixture::Fixture(const std::function<void(Options&)>& change) {
    Options options;
    options.port = 0;
    options.limits.bytes = std::size_t{64} << 20;  // room for what is big
    options.limits.grace = std::chrono::milliseconds{20};
    options.limits.linger_time = std::chrono::milliseconds{1000};
    change(options);
    server = std::make_unique<Server>(options, application);
}

Fixture::~Fixture() {
    application.release();
    server->stop();
    CHECK(server->counters().second_answers == 0);
    CHECK(server->counters().in_flight == 0);
    CHECK(server->counters().connections_open == 0);
}

}  // namespace svc::http::test
