// Claims, sends, judges and stores.
#include "pro/webhooks/dispatcher.hpp"

#include <algorithm>
#include <atomic>
#include <charconv>
#include <random>
#include <thread>

#include "pro/webhooks/mails.hpp"
#include "pro/webhooks/service.hpp"
#include "pro/webhooks/signature.hpp"
#include "shared/core/text.hpp"

namespace svc::pro::webhooks {
namespace {

using json::Value;
using Steady = std::chrono::steady_clock;

constexpr int threads = 12;
constexpr std::int64_t batch_size = 50, lanes_looked_at = 50;
constexpr auto timeout = std::chrono::milliseconds(15'000);
constexpr auto longest_run = std::chrono::seconds(25);
constexpr auto claim_for = std::chrono::seconds(60);  // longer than a run with a request at its end
constexpr auto look_again = std::chrono::milliseconds(50);
constexpr auto longest_rest = std::chrono::minutes(5);
constexpr auto longest_wait = std::chrono::hours(24);
constexpr auto pauses_after = std::chrono::hours(24 * 5);
constexpr std::size_t most_answer = 256 * 1024, kept_answer = 16 * 1024, longest_error = 480;

std::string header_of(const Response& response, std::string_view name) {
    for (const auto& [each, value] : response.headers)
        if (each == name)
            return value;
    return {};
}

// Seconds alone: nobody sends a date.
std::optional<std::chrono::seconds> retry_after(const Response& response) {
    const auto text = header_of(response, "retry-after");
    std::int64_t seconds = 0;
    const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), seconds);
    if (text.empty() || fault != std::errc() || end != text.data() + text.size() || seconds < 0)
        return std::nullopt;
    return std::min<std::chrono::seconds>(std::chrono::seconds(seconds), longest_wait);
}

std::string problem_of(const Response& response) {
    if (response.status == 0)
        return response.problem.empty() ? "The endpoint did not answer." : "No answer: " + response.problem + ".";
    if (response.status >= 300 && response.status < 400)
        return "The endpoint redirects (" + std::to_string(response.status) + "); redirects are not followed.";
    return "The endpoint answered " + std::to_string(response.status) + ".";
}

bool is_overloaded(int status) { return status == 0 || status == 429 || (status >= 502 && status <= 504); }

Value headers_as_json(const std::vector<std::pair<std::string, std::string>>& headers) {
    Value all = Value::object();
    for (const auto& [name, value] : headers)
        all.set(text::made_utf8(name), text::made_utf8(value));
    return all;
}

double random_share() {
    thread_local std::minstd_rand engine(std::random_device{}());
    return std::uniform_real_distribution<double>(0, 1)(engine);
}

}  // namespace

Attempt judged(Delivery delivery, const Response& response, Instant now, double jitter) {
    Attempt attempt{.delivery = std::move(delivery)};
    Delivery& d = attempt.delivery;
    ++d.attempts;
    d.duration_ms = response.duration.count();
    d.http_status = response.status ? std::optional<std::int64_t>(response.status) : std::nullopt;
    d.response_headers = headers_as_json(response.headers).dump();
    std::string body = text::made_utf8(std::string_view(response.body).substr(0, kept_answer));
    std::erase(body, '\0');  // no column holds it
    d.response_body = std::move(body);
    d.next_attempt_at.reset();
    d.error_message.reset();
    if (response.status >= 200 && response.status < 300) {
        attempt.is_success = true;
        d.status = status::delivered;
        d.delivered_at = now;
        return attempt;
    }
    d.error_message = problem_of(response).substr(0, longest_error);
    d.status = status::failed;
    attempt.is_gone = response.status == 410;
    if (attempt.is_gone) {  // it is sent when somebody activates the endpoint again
        d.next_attempt_at = now;
        return attempt;
    }
    if (d.attempts > static_cast<std::int64_t>(std::size(waits))) {
        d.status = status::permanent_failure;
        return attempt;
    }
    const auto planned = waits[d.attempts - 1];
    auto wait = std::chrono::duration_cast<std::chrono::microseconds>(planned * (1 + jitter / 10));
    const auto asked = retry_after(response);
    if (asked)
        wait = std::max<std::chrono::microseconds>(wait, *asked);
    d.next_attempt_at = now.plus(wait);
    if (is_overloaded(response.status)) {
        attempt.endpoint_rests = true;
        const auto rest = std::min<std::chrono::microseconds>(wait, longest_rest);
        attempt.rests_until = now.plus(asked ? std::max<std::chrono::microseconds>(rest, *asked) : rest);
    }
    return attempt;
}

struct Dispatcher::Run {
    std::mutex mutex;
    std::set<Lane> busy;
    std::set<std::int64_t> probed;  // endpoints that failed lately: one request at a time
    std::int64_t delivered = 0, failed = 0;
    const Steady::time_point until = Steady::now() + longest_run;
    std::atomic<bool> is_broken = false;  // a lane whose outcome could not be stored is claimed until its claim ends
};

std::optional<Dispatcher::Batch> Dispatcher::claim(Run& run) const {
    const auto now = site_.clock.now();
    const auto lanes = site_.store.reading<std::vector<Lane>>(
        [&](store::Session& session) { return Repository::due_lanes(session, now, lanes_looked_at); });
    for (const Lane lane : lanes) {
        const auto is_of_endpoint = [&](const Lane& each) { return each.endpoint_id == lane.endpoint_id; };
        const std::lock_guard lock(run.mutex);
        if (run.busy.contains(lane) ||
            (run.probed.contains(lane.endpoint_id) && std::any_of(run.busy.begin(), run.busy.end(), is_of_endpoint)))
            continue;
        const auto claimed =
            site_.store.transact<std::optional<Batch>>([&](store::Transaction& tx) -> Result<std::optional<Batch>> {
                const auto endpoint = endpoint_record().find(tx, lane.endpoint_id);
                // Another thread may have failed since the lanes were read.
                if (!endpoint || !endpoint->is_active || (endpoint->resume_at && *endpoint->resume_at > now))
                    return std::optional<Batch>{};
                const bool is_probed = endpoint->consecutive_failures > 0;
                auto due = Repository::claim(tx, lane, now, now.plus(claim_for), is_probed ? 1 : batch_size);
                if (due.empty())
                    return std::optional<Batch>{};
                return std::optional(Batch{.lane = lane, .endpoint = *endpoint, .deliveries = std::move(due)});
            });
        if (!claimed || !*claimed)
            continue;
        run.busy.insert(lane);
        if ((*claimed)->endpoint.consecutive_failures > 0)
            run.probed.insert(lane.endpoint_id);
        else
            run.probed.erase(lane.endpoint_id);
        return *claimed;
    }
    return std::nullopt;
}

Response Dispatcher::request(const Endpoint& endpoint, Delivery& delivery) const {
    const auto now = site_.clock.now();
    const auto keys = keys_of(endpoint, site_.secrets, now);
    const auto own = headers_of(endpoint, site_.secrets);
    const auto certificate = certificate_of(endpoint, site_.secrets);
    if (!keys || !own || !certificate)
        return {.problem = "the secret of the endpoint cannot be read with the key file of this installation"};
    plugin::FetchTwo::Request request;
    request.method = endpoint.http_method;
    request.url = endpoint.url;
    request.body = endpoint.http_method == "GET" ? std::string() : delivery.payload;
    request.timeout = timeout;
    request.limit = most_answer;
    request.certificate_chain = certificate->text_or("chain");
    request.certificate_key = certificate->text_or("key");
    request.headers = {{"Content-Type", "application/json"},
                       {"webhook-id", delivery.event_uid},
                       {"webhook-timestamp", std::to_string(now.seconds())},
                       {"webhook-signature", signature(*keys, delivery.event_uid, now, request.body)},
                       {"X-Svc-Event", delivery.event_key},
                       {"X-Svc-Delivery", delivery.delivery_id}};
    auto shown = headers_as_json(request.headers);
    for (const auto& [name, value] : own->members()) {
        request.headers.emplace_back(name, value.text());
        shown.set(name, endpoint.header_hints[name]);
    }
    delivery.request_headers = shown.set("method", request.method).set("url", request.url).dump();
    const auto began = Steady::now();
    auto reply = fetch_(request);
    Response response{.duration = std::chrono::duration_cast<std::chrono::milliseconds>(Steady::now() - began)};
    if (reply) {
        response.status = reply->status;
        response.headers = std::move(reply->headers);
        response.body = std::move(reply->body);
    } else {
        response.problem = reply.error().cause().empty() ? reply.error().message().english() : reply.error().cause();
    }
    return response;
}

// An attempt that fails ends the batch: the others of it are tried when the endpoint has rested, or at once.
void Dispatcher::send(Run& run, Batch batch) const {
    std::vector<Attempt> attempts;
    std::vector<std::int64_t> not_sent;
    for (Delivery& delivery : batch.deliveries) {
        if ((!attempts.empty() && !attempts.back().is_success) || Steady::now() > run.until) {
            not_sent.push_back(delivery.id);
            continue;
        }
        const Response response = request(batch.endpoint, delivery);
        attempts.push_back(judged(std::move(delivery), response, site_.clock.now(), random_share()));
    }
    store(batch.endpoint, attempts, not_sent);
    const std::lock_guard lock(run.mutex);
    for (const Attempt& attempt : attempts)
        ++(attempt.is_success ? run.delivered : run.failed);
    run.busy.erase(batch.lane);
}

void Dispatcher::store(const Endpoint& endpoint, const std::vector<Attempt>& attempts,
                       const std::vector<std::int64_t>& not_sent) const {
    const auto now = site_.clock.now();
    const auto done = site_.store.write([&](store::Transaction& tx) -> Result<void> {
        for (const Attempt& attempt : attempts)
            Repository::record(tx, attempt, endpoint.log_deliveries, now);
        for (const std::int64_t id : not_sent)
            Repository::release(tx, id, now);
        const auto stored = endpoint_record().find(tx, endpoint.id);
        if (!stored || !stored->is_active || attempts.empty() || attempts.back().is_success)
            return {};
        const bool is_failing = stored->failing_since && stored->failing_since->plus(pauses_after) <= now;
        if (!attempts.back().is_gone && !is_failing)
            return {};
        const std::string_view reason = attempts.back().is_gone ? "gone" : "failing";
        if (Repository::pause(tx, endpoint.id, reason, now))
            mail_paused(site_, tx, *stored, reason, now);
        return {};
    });
    if (!done)
        throw std::runtime_error("the outcome of webhook deliveries was not stored: " +
                                 done.error().message().english());
}

void Dispatcher::work(Run& run) const {
    while (Steady::now() < run.until && !run.is_broken) {
        if (auto batch = claim(run)) {
            send(run, std::move(*batch));
            continue;
        }
        {
            const std::lock_guard lock(run.mutex);
            if (run.busy.empty())
                return;
        }
        std::this_thread::sleep_for(look_again);  // another thread's lane may have more when it is done
    }
}

Result<Value> Dispatcher::run() {
    Run run;
    std::exception_ptr failure;
    const auto guarded = [&] {
        try {
            work(run);
        } catch (...) {
            const std::lock_guard lock(run.mutex);
            failure = std::current_exception();
            run.is_broken = true;
        }
    };
    const auto due = [&] {
        return !site_.store
                    .reading<std::vector<Lane>>(
                        [&](store::Session& session) { return Repository::due_lanes(session, site_.clock.now(), 1); })
                    .empty();
    };
    if (due()) {
        std::vector<std::thread> others;
        for (int i = 1; i < threads; ++i)
            others.emplace_back(guarded);
        guarded();
        for (std::thread& each : others)
            each.join();
        if (failure)
            std::rethrow_exception(failure);
        if (due())
            site_.jobs->wake(deliver_job);
    }
    return Value::object({{"delivered", run.delivered}, {"failed", run.failed}});
}

}  // namespace svc::pro::webhooks
