// A run of the job mailchimp_sync, as its threads share it.
#pragma once

#include <atomic>
#include <chrono>
#include <mutex>

#include "pro/mailchimp/sync.hpp"

namespace svc::pro::mailchimp {

struct Sync::Run {
    using Steady = std::chrono::steady_clock;
    static constexpr auto longest = std::chrono::seconds(25);

    const Configuration now_set;  // all of a run is sent by one key
    const Steady::time_point until = Steady::now() + longest;
    std::atomic<bool> rests = false;  // nothing more is sent in this run
    std::atomic<std::int64_t> sent = 0, skipped = 0, failed = 0;
    std::mutex mutex = {};
    std::int64_t failures = 0;  // in a row, with those of earlier runs
    // Contacts that failed by an answer to them, without one between that went well: several say that it is Mailchimp.
    std::atomic<std::int64_t> failing = 0;
    static constexpr std::int64_t several = 3;

    [[nodiscard]] bool is_over() const { return rests || Steady::now() >= until; }

    // Whether all sending has to rest after this answer, and not the contact alone.
    [[nodiscard]] bool is_of_all(const Answer& answer) { return !may_be_its_own(answer) || ++failing >= several; }
    [[nodiscard]] bool is_well() {
        const std::lock_guard lock(mutex);
        return failures == 0;
    }

    // All sending rests, once for all threads.
    void pause(const Site& site, const Answer& answer, std::string_view problem) {
        const std::lock_guard lock(mutex);
        if (rests.exchange(true))
            return;
        const auto now = site.clock.now();
        const auto resume_at = now.plus(rest_after(answer.outcome, ++failures, answer.retry_after));
        static_cast<void>(site.store.write([&](store::Transaction& tx) -> Result<void> {
            Repository::pause(tx, problem, answer.detail, resume_at, now);
            return {};
        }));
    }
    // An answer that is one ends what was wrong; one to a request that was under way when the rest began does not.
    void went_well(const Site& site) {
        failing = 0;
        const std::lock_guard lock(mutex);
        if (failures == 0 || rests)
            return;
        failures = 0;
        static_cast<void>(site.store.write([](store::Transaction& tx) -> Result<void> {
            Repository::resume(tx);
            return {};
        }));
    }
};

// A row that is being sent.
struct Sync::Work {
    Queued row;
    Contact contact;
    std::optional<Member> before;  // as we knew it
    Decision decision;
    Member member;  // as it becomes
    Instant now{};
};

}  // namespace svc::pro::mailchimp
