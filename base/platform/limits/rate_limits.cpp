// Limits in memory, their exchange through svc_rate_limits, and the strict counts made there.
#include "base/platform/limits/rate_limits.hpp"

#include <algorithm>
#include <condition_variable>
#include <stdexcept>
#include <thread>

#include "base/platform/limits/buckets.hpp"
#include "shared/core/log.hpp"
#include "shared/store/beside.hpp"
#include "shared/store/typed.hpp"

namespace svc::limits {
namespace {

constexpr std::size_t most_exchanged = 512;  // rows of one transaction

// Answers nothing when the bucket is used up.
std::optional<std::int64_t> use(store::Transaction& tx, const Use& requested, std::int64_t now) {
    const Pace pace = Pace::of(requested.limit);
    return store::value<std::int64_t>(
        tx,
        "INSERT INTO svc_rate_limits (bucket, subject, busy_until) VALUES (:bucket, :subject, :fresh)"
        " ON CONFLICT (bucket, subject) DO UPDATE SET busy_until ="
        " CASE WHEN svc_rate_limits.busy_until > :now THEN svc_rate_limits.busy_until ELSE :now END + :step"
        " WHERE CASE WHEN svc_rate_limits.busy_until > :now THEN svc_rate_limits.busy_until ELSE :now END + :step"
        " <= :latest RETURNING busy_until",
        {{"bucket", requested.bucket},
         {"subject", stored_subject(requested.subject)},
         {"fresh", now + pace.step},
         {"now", now},
         {"step", pace.step},
         {"latest", now + pace.per}});
}

std::int64_t busy_until(store::Session& session, const Use& use) {
    return session.number("SELECT busy_until FROM svc_rate_limits WHERE bucket = :bucket AND subject = :subject",
                          {{"bucket", use.bucket}, {"subject", stored_subject(use.subject)}});
}

bool is_limited(const Use& use) { return use.limit.burst > 0; }

}  // namespace

struct RateLimits::Exchanger {
    std::mutex mutex;
    std::condition_variable wake;
    bool stopping = false;
    bool failing = false;
    std::thread thread;
};

RateLimits::RateLimits(const Clock& clock, store::Store* shared, std::size_t capacity)
    : clock_(clock),
      store_(shared),
      counted_(std::make_unique<Buckets>(capacity)),
      refused_(std::make_unique<Buckets>(capacity / 8)),
      exchanger_(std::make_unique<Exchanger>()) {}

RateLimits::~RateLimits() { stop(); }

Verdict RateLimits::take(std::string_view bucket, std::string_view subject, Limit limit) {
    return limit.burst > 0 ? counted_->take(bucket, subject, limit, now()) : Verdict{};
}

Verdict RateLimits::left(std::string_view bucket, std::string_view subject, Limit limit) const {
    return limit.burst > 0 ? counted_->left(bucket, subject, limit, now()) : Verdict{};
}

Verdict RateLimits::take_strictly(const std::vector<Use>& uses) {
    if (!store_)
        throw std::logic_error("strict limits need the database");
    std::vector<Use> limited;
    std::copy_if(uses.begin(), uses.end(), std::back_inserter(limited), is_limited);
    // One order for everybody, so that two transactions never wait for each other.
    std::sort(limited.begin(), limited.end(), [](const Use& a, const Use& b) {
        return std::pair(a.bucket, a.subject) < std::pair(b.bucket, b.subject);
    });
    const std::int64_t moment = now();
    for (const Use& use : limited)
        if (const auto verdict = refused(use.bucket, use.subject); !verdict.allowed)
            return verdict;

    const Use* refusing = nullptr;
    std::int64_t busy = 0;
    const store::Beside beside;
    const auto outcome = store_->write([&](store::Transaction& tx) -> Result<void> {
        refusing = nullptr;
        for (const Use& each : limited) {
            if (use(tx, each, moment))
                continue;
            refusing = &each;
            busy = busy_until(tx, each);
            return errc::rate_limited;
        }
        return {};
    });
    if (outcome)
        return {};
    const Pace pace = Pace::of(refusing->limit);
    const int wait = pace.wait_until_free(std::min(busy, pace.latest(moment)), moment);
    refused_->mark(refusing->bucket, refusing->subject, moment + std::int64_t{wait} * 1'000'000);
    return {.allowed = false, .retry_after = wait};
}

Verdict RateLimits::refused(std::string_view bucket, std::string_view subject) const {
    const std::int64_t wait = refused_->marked_until(bucket, subject) - now();
    if (wait <= 0)
        return {};
    return {.allowed = false, .retry_after = static_cast<int>((wait + 999'999) / 1'000'000)};
}

void RateLimits::give_back(store::Transaction& tx, const std::vector<Use>& uses) {
    for (const Use& use : uses)
        if (is_limited(use))
            tx.run(
                "UPDATE svc_rate_limits SET busy_until = busy_until - :step"
                " WHERE bucket = :bucket AND subject = :subject",
                {{"step", Pace::of(use.limit).step}, {"bucket", use.bucket}, {"subject", stored_subject(use.subject)}});
}

void RateLimits::exchange() {
    if (!store_)
        return;
    const auto unsent = counted_->unsent(now(), most_exchanged);
    if (unsent.empty())
        return;
    std::vector<std::int64_t> answers;
    const store::Beside beside;
    const auto done = store_->write([&](store::Transaction& tx) -> Result<void> {
        answers.clear();
        for (const auto& each : unsent)
            store::each_row(
                tx,
                "INSERT INTO svc_rate_limits (bucket, subject, busy_until) VALUES (:bucket, :subject, :fresh)"
                " ON CONFLICT (bucket, subject) DO UPDATE SET busy_until ="
                " CASE WHEN svc_rate_limits.busy_until > :since THEN svc_rate_limits.busy_until ELSE :since END + :used"
                " RETURNING busy_until",
                {{"bucket", each.bucket},
                 {"subject", each.subject},
                 {"fresh", each.since + each.used},
                 {"since", each.since},
                 {"used", each.used}},
                [&](std::int64_t busy_until) { answers.push_back(std::min(busy_until, each.latest)); });
        return {};
    });
    if (!done || answers.size() != unsent.size())
        return;
    for (std::size_t i = 0; i < unsent.size(); ++i)
        counted_->received(unsent[i], answers[i]);
}

void RateLimits::start() {
    if (!store_ || exchanger_->thread.joinable())
        return;
    exchanger_->stopping = false;
    exchanger_->thread = std::thread([this] {
        std::unique_lock lock(exchanger_->mutex);
        while (!exchanger_->wake.wait_for(lock, std::chrono::seconds(1), [this] { return exchanger_->stopping; })) {
            lock.unlock();
            try {
                exchange();
                exchanger_->failing = false;
            } catch (const std::exception& error) {
                if (!std::exchange(exchanger_->failing, true))
                    log::warning("rate_limits_not_shared", {{"cause", log::redacted(error.what())}});
            }
            lock.lock();
        }
    });
}

void RateLimits::stop() {
    if (!exchanger_->thread.joinable())
        return;
    {
        const std::lock_guard lock(exchanger_->mutex);
        exchanger_->stopping = true;
    }
    exchanger_->wake.notify_all();
    exchanger_->thread.join();
}

std::int64_t RateLimits::clean_up() {
    if (!store_)
        return 0;
    std::int64_t deleted = 0;
    const store::Beside beside;
    const auto done = store_->write([&](store::Transaction& tx) -> Result<void> {
        deleted = tx.run("DELETE FROM svc_rate_limits WHERE busy_until < :now", {{"now", now()}});
        return {};
    });
    return done ? deleted : 0;
}

std::size_t RateLimits::size() const { return counted_->size(); }

Result<void> answer_of(const Verdict& verdict, const ErrorCode& code) {
    if (verdict.allowed)
        return {};
    return Error{code}.after(verdict.retry_after);
}

}  // namespace svc::limits
