// Keeps contacts at Mailchimp as the site's data say: listeners note who changed, a job sends.
#pragma once

#include <atomic>

#include "pro/mailchimp/client.hpp"
#include "pro/mailchimp/repository.hpp"
#include "shared/plugin/host_calls.hpp"

namespace svc::pro::mailchimp {

// How long all sending rests after its `failures`th failure in a row, counted from 1; what they ask for is the least.
std::chrono::seconds rest_after(Outcome outcome, std::int64_t failures, std::optional<std::chrono::seconds> asked);
// The word for it in the state and the log; "list" for an audience that is gone.
std::string_view problem_of(Outcome outcome);

// Any thread; the job runs once at a time.
class Sync {
  public:
    Sync(const Site& site, const Client& client, const plugin::Calls& calls)
        : site_(site), client_(client), calls_(calls) {}

    // An automation event about a booking. Stores a row at most.
    void occurred(const std::string& event, const json::Value& payload) const;
    // A customer record was made or changed. Stores a row at most.
    void changed(std::int64_t customer_id, bool is_new) const;

    // Begins a run over all customers, in place of one that is under way; returns how many it will look at.
    Result<std::int64_t> begin_run(Instant now) const;

    // {"sent", "skipped", "failed"}. Returns when nothing is due, when sending has to rest, or after some seconds.
    Result<json::Value> run(Instant now) const;

  private:
    struct Run;
    struct Work;

    void take_reports(Instant now) const;
    void take(const Report& report, const Configuration& now_set, Instant now) const;
    void withdraw_consents() const;
    void remove_erased(Run& run) const;
    void send_due(Run& run) const;
    void work(Run& run) const;
    void try_to_send(Run& run, const Queued& row) const;
    void send(Run& run, const Queued& row) const;
    bool archive_others(Run& run, Work& work) const;
    bool leave_former(Run& run, Work& work) const;
    void unsubscribe(Run& run, Work& work) const;
    void upsert(Run& run, Work& work) const;
    void settle(Run& run, Work& work, const Answer& answer) const;
    [[nodiscard]] bool set_tags(Run& run, Work& work) const;
    // The row waits; unless the fault may be its own, all others too. Where several fail so, it is Mailchimp's.
    void put_off(Run& run, const Queued& row, const Answer& answer, std::string_view problem) const;
    void finish(Run& run, const Work& work, LogEntry entry, bool stores_member, bool withdraws = false) const;

    const Site& site_;
    const Client& client_;
    const plugin::Calls& calls_;
};

}  // namespace svc::pro::mailchimp
