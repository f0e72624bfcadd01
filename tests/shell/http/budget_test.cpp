// Bytes in flight: of bodies that do not end, of answers that nobody takes, and of large bodies of unknown senders.
#include "shell/http/budget.hpp"

#include <chrono>
#include <future>
#include <string>
#include <thread>
#include <vector>

#include <doctest/doctest.h>

#include "tests/shell/http/application.hpp"
#include "tests/shell/http/client.hpp"

namespace svc::http::test {
namespace {

using std::chrono::milliseconds;

constexpr int small_buffer = 4096;

std::string asked(const std::string& target) { return "GET " + target + " HTTP/1.1\r\nHost: localhost\r\n\r\n"; }

std::string posted(const std::string& target, const std::string& framing, const std::string& authorization = "") {
    return "POST " + target + " HTTP/1.1\r\nHost: a\r\n" + framing + "\r\n" +
           (authorization.empty() ? "" : "Authorization: " + authorization + "\r\n") + "\r\n";
}

std::string length(std::size_t bytes) { return "Content-Length: " + std::to_string(bytes); }

// Waits until an answer of that status comes, each on a connection of its own.
std::optional<Answer> wait_for(std::uint16_t port, int status) {
    const auto end = std::chrono::steady_clock::now() + Client::patience;
    while (std::chrono::steady_clock::now() < end)
        if (auto answer = Client(port).get("/pool"); answer && answer->status == status)
            return answer;
    return std::nullopt;
}

bool is_accepted(const std::optional<Answer>& answer) { return answer && answer->status == 200; }

// Enough round trips for every I/O thread and worker to have done what it was about to do.
bool others_are_served(Fixture& fixture) {
    for (int i = 0; i < 50; ++i)
        if (const auto answer = Client(fixture.port()).get("/pool"); !answer || answer->status != 200)
            return false;
    return true;
}

std::optional<Answer> upload(std::uint16_t port, std::size_t bytes) {
    Client client(port);
    client.send(posted("/upload", length(bytes)) + std::string(bytes, 'a'));
    return client.answer();
}

}  // namespace

TEST_CASE("shares beyond the bound are refused, and large ones leave room for small ones") {
    ByteBudget budget(std::size_t{1} << 20);
    ByteBudget::Share first(budget), second(budget), third(budget);
    CHECK(first.resize(700'000));
    CHECK_FALSE(second.resize(100'000));
    CHECK(third.resize(10'000));
    CHECK(budget.used() == 710'000);
    first = ByteBudget::Share(budget);
    CHECK(second.resize(100'000));
    second.set(2'000'000);
    CHECK(budget.is_full());
    CHECK_FALSE(third.resize(10'001));
    second.set(0);
    third.set(0);
    CHECK(budget.used() == 0);
}

TEST_CASE("a body that several wait for counts once") {
    ByteBudget budget(std::size_t{1} << 20);
    const auto body = std::make_shared<const std::string>(1000, 'a');
    {
        ByteBudget::BodyHold one(budget, body);
        const ByteBudget::BodyHold other(budget, body);
        CHECK(budget.used() == 1000);
        one = {};
        CHECK(budget.used() == 1000);
    }
    CHECK(budget.used() == 0);
}

TEST_CASE("a network that has more than an eighth gets no more while more than half is in use") {
    ByteBudget budget(std::size_t{8} << 20);
    const auto greedy = budget.account("192.0.2.1"), modest = budget.account("192.0.2.2");
    CHECK(budget.account("192.0.2.1") == greedy);
    CHECK(budget.account("") == nullptr);
    ByteBudget::Share much(budget, greedy), little(budget, modest), unnamed(budget);
    CHECK(much.resize(std::size_t{4} << 20));  // as long as there is plenty anybody may have it
    CHECK_FALSE(budget.is_full_for(greedy.get()));
    CHECK(little.resize(100'000));
    CHECK(budget.is_full_for(greedy.get()));
    CHECK_FALSE(budget.has_room_for(20'000, greedy.get()));  // of what is to come
    CHECK(budget.has_room_for(20'000, modest.get()));
    CHECK_FALSE(budget.has_room_for(std::size_t{1} << 20, modest.get()));
    CHECK(budget.is_pressed_for(greedy.get()));
    CHECK_FALSE(much.resize((std::size_t{4} << 20) + 1));
    for (const ByteBudget::Account* other : {modest.get(), static_cast<ByteBudget::Account*>(nullptr)})
        CHECK_FALSE(budget.is_full_for(other));
    CHECK_FALSE(budget.is_pressed_for(modest.get()));
    CHECK(little.resize(200'000));
    CHECK(unnamed.resize(1'500'000));
    // A body counts for each network that waits for it, and once in all.
    const auto body = std::make_shared<const std::string>(std::size_t{2} << 20, 'a');
    const auto before = budget.used();
    {
        const ByteBudget::BodyHold one(budget, body, modest), again(budget, body, modest), theirs(budget, body, greedy);
        CHECK(budget.used() == before + body->size());
        CHECK(budget.is_full_for(modest.get()));
    }
    CHECK(budget.used() == before);
    CHECK_FALSE(budget.is_full_for(modest.get()));
}

TEST_CASE("a share of a network gives its bytes back although its connection ended before it") {
    ByteBudget budget(std::size_t{1} << 20);
    auto account = budget.account("192.0.2.1");
    {
        ByteBudget::Share share(budget, account);
        CHECK(share.resize(1000));
        account.reset();
        account = budget.account("192.0.2.1");
        CHECK_FALSE(budget.has_room_for(std::size_t{900} << 10, account.get()));
        account.reset();
    }
    CHECK(budget.used() == 0);
}

TEST_CASE("clients of one network that take no answers are 503, and nobody else is") {
    Fixture fixture([](Options& options) {
        options.limits.bytes = std::size_t{16} << 20;
        options.limits.pressed_time = std::chrono::seconds{60};
    });
    std::vector<Client> stalled;
    for (int i = 0; i < 24; ++i) {
        stalled.emplace_back(fixture.port(), small_buffer, "127.0.0.2");
        stalled.back().send(asked("/pool/fresh") + asked("/pool/fresh"));
    }
    const auto status_from = [&](const char* address) {
        const auto answer = Client(fixture.port(), 0, address).get("/pool");
        return answer ? answer->status : 0;
    };
    const auto end = std::chrono::steady_clock::now() + Client::patience;
    while (status_from("127.0.0.2") != 503 && std::chrono::steady_clock::now() < end)
        std::this_thread::yield();
    CHECK(status_from("127.0.0.2") == 503);
    for (int i = 0; i < 20; ++i)
        for (const char* other : {"127.0.0.1", "127.0.0.3"})
            CHECK(status_from(other) == 200);
}

TEST_CASE("requests of a client that does not take its answers wait, and are answered once it does") {
    Fixture fixture;
    Client client(fixture.port(), small_buffer);
    std::string many;
    for (int i = 0; i < 16; ++i)
        many += asked("/pool/fresh");
    client.send(many);
    while (fixture.application.made() < 2)
        std::this_thread::yield();
    CHECK(others_are_served(fixture));
    CHECK(fixture.application.made() <= 8);  // what was sent into the kernel, and one on each worker
    for (int i = 0; i < 16; ++i) {
        const auto answer = client.answer();
        REQUIRE(answer);
        CHECK(answer->status == 200);
        CHECK(answer->body.size() == fresh_size);
    }
}

TEST_CASE("when answers that are not taken fill the bound, requests are 503, until those who took nothing are closed") {
    Fixture fixture([](Options& options) {
        options.limits.bytes = std::size_t{4} << 20;
        options.limits.pressed_time = milliseconds{1500};
    });
    std::vector<Client> stalled;
    for (int i = 0; i < 12; ++i) {
        stalled.emplace_back(fixture.port(), small_buffer);
        stalled.back().send(asked("/pool/fresh") + asked("/pool/fresh"));
    }
    const auto refused = wait_for(fixture.port(), 503);
    REQUIRE(refused);
    CHECK(refused->headers.contains("retry-after"));
    CHECK(fixture.application.made() <= 16);
    CHECK(wait_for(fixture.port(), 200));
    while (fixture.server->counters().connections_open > 6)
        std::this_thread::yield();
}

TEST_CASE("an answer that many take slowly counts once, and nobody else is refused for it") {
    Fixture fixture;
    std::vector<Client> slow;
    for (int i = 0; i < 8; ++i) {
        slow.emplace_back(fixture.port(), small_buffer);
        slow.back().send(asked("/big"));
    }
    while (fixture.server->counters().requests < slow.size())
        std::this_thread::yield();
    CHECK(others_are_served(fixture));
    CHECK(fixture.server->counters().refused_503 == 0);
}

TEST_CASE("bodies that do not end are 503 beyond the bound, small requests go on, and the stalled are 408 soon") {
    Fixture fixture([](Options& options) {
        options.limits.bytes = 1'000'000;
        options.limits.pressed_time = milliseconds{1000};
    });
    // A body grows by doubling: one of 300,000 bytes takes 524,288, more than half of the bound, and no second fits.
    std::vector<Client> stalled;
    for (int i = 0; i < 8; ++i) {
        stalled.emplace_back(fixture.port());
        stalled.back().send(posted("/upload", length(400'000)) + std::string(300'000, 'a'));
        // The first one has its share of the bound when no further one fits.
        if (i == 0)
            while (is_accepted(upload(fixture.port(), 300'000))) {
            }
    }
    CHECK(Client(fixture.port()).get("/pool")->status == 200);
    std::map<int, int> statuses;
    for (auto& each : stalled)
        if (const auto answer = each.answer())
            ++statuses[answer->status];
    CHECK(statuses[503] >= 4);
    CHECK(statuses[408] >= 1);
    CHECK(statuses[503] + statuses[408] == 8);
    const auto quick = upload(fixture.port(), 300'000);
    REQUIRE(quick);
    CHECK(quick->body == "300000");
}

TEST_CASE("a large body is not read before its sender is checked") {
    constexpr std::size_t large = std::size_t{24} << 20;
    Fixture fixture;
    Client client(fixture.port());
    client.send(posted("/checked", length(large), "held"));
    fixture.application.wait_for_held(1);
    auto sent = std::async(std::launch::async, [&] { return client.send(std::string(large, 'a')); });
    CHECK(sent.wait_for(milliseconds{500}) == std::future_status::timeout);
    fixture.application.release();
    CHECK(sent.get());
    const auto answer = client.answer();
    REQUIRE(answer);
    CHECK(answer->body == std::to_string(large));
}

TEST_CASE("a credential that is none does not lift the limit, whatever the framing") {
    Fixture fixture;
    for (const std::string& framing : {length(5'000'000), std::string("Transfer-Encoding: chunked")}) {
        CAPTURE(framing);
        Client client(fixture.port());
        client.send(posted("/checked", framing, "bad"));
        const auto answer = client.answer();
        REQUIRE(answer);
        CHECK(answer->status == 401);
        CHECK(answer->headers.at("connection") == "close");
        CHECK(client.closed());
    }
    CHECK_FALSE(fixture.application.saw("/checked"));
    Client chunked(fixture.port());
    chunked.send(posted("/checked", "Transfer-Encoding: chunked", "good") + "7d0\r\n" + std::string(2000, 'a') +
                 "\r\n0\r\n\r\n");
    CHECK(chunked.answer()->body == "2000");
    Client small(fixture.port());
    small.send(posted("/checked", length(5), "bad") + "hello");
    CHECK(small.answer()->body == "5");  // who is small enough is checked where it is answered
    CHECK(Client(fixture.port()).send(posted("/checked", length(std::size_t{65} << 20), "good")));
}

TEST_CASE("who expects a word before sending a large body gets it after the check") {
    Fixture fixture;
    Client client(fixture.port());
    client.send(posted("/checked", length(2000) + "\r\nExpect: 100-continue", "good"));
    const auto told = client.answer(true);
    REQUIRE(told);
    CHECK(told->status == 100);
    client.send(std::string(2000, 'a'));
    CHECK(client.answer()->body == "2000");
}

}  // namespace svc::http::test
