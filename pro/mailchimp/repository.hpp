// SQL on what is known of contacts, what is to be sent and what was sent.
#pragma once

#include <string>
#include <vector>

#include "pro/mailchimp/contact.hpp"
#include "shared/record/record.hpp"

namespace svc::pro::mailchimp {

// A customer whose contact is to be looked at.
struct Queued {
    std::int64_t id = 0, customer_id = 0;
    std::string cause;  // booking, payment, customer, all
    std::optional<std::int64_t> booking_id;
    std::int64_t generation = 1, attempts = 0;
    bool in_run = false;
};

struct Removal {
    std::int64_t id = 0;
    std::string list_id, member_hash;
    std::int64_t attempts = 0;
};

// What Mailchimp reported.
struct Report {
    std::int64_t id = 0;
    std::string kind, list_id, email;
    Instant received_at{};
};

struct LogEntry {
    std::int64_t id = 0;
    std::optional<std::int64_t> customer_id, booking_id;
    std::string email, action, status, reason, detail;
    std::optional<std::int64_t> http_status;
    Instant created_at{};
};
const record::Record<LogEntry>& log_record();

struct State {
    std::string problem, problem_detail;  // empty, or key, list, throttled, unavailable, garbled
    std::optional<Instant> problem_at;
    std::int64_t failures = 0;
    std::optional<Instant> resume_at, last_sync_at, looked_at, run_started_at, run_ended_at;
    std::optional<std::int64_t> run_after;
    std::int64_t run_total = 0, run_synced = 0, run_skipped = 0, run_failed = 0;

    [[nodiscard]] bool is_running() const { return run_started_at && !run_ended_at; }
};

struct Counts {
    std::int64_t customers = 0, opted_in = 0, subscribed = 0, pending = 0, transactional = 0, left = 0, refused = 0,
                 waiting = 0;
};

struct Repository {
    // The state with a secret for the receiver's address, sealed by `seal`, unless there is one.
    static void begin(store::Transaction& tx, const std::string& sealed_secret);
    static std::string secret(store::Session& session);  // sealed; empty: the module was never on
    static void set_secret(store::Transaction& tx, const std::string& sealed_secret);
    static State state(store::Session& session);

    // Queues a customer; one who waits already waits anew, counted by the generation.
    static void queue(store::Transaction& tx, std::int64_t customer_id, std::string_view cause,
                      std::optional<std::int64_t> booking_id, Instant now);
    static bool has_member(store::Session& session, std::int64_t customer_id);
    static std::vector<Queued> claim(store::Transaction& tx, Instant now, Instant until, std::int64_t most);
    // Ends a row as `outcome` (synced, skipped, failed); it stays queued if it changed meanwhile.
    static void finish(store::Transaction& tx, const Queued& row, std::string_view outcome, Instant now);
    static void release(store::Transaction& tx, const Queued& row, std::int64_t attempts, Instant next);

    static std::optional<Member> member(store::Session& session, const std::string& list_id, const std::string& email);
    // Those of a customer with another address than that one.
    static std::vector<Member> others_of(store::Session& session, const std::string& list_id, std::int64_t customer_id,
                                         const std::string& email);
    // Contacts whom we subscribed to earlier audiences, and who still get their newsletter.
    static std::vector<Member> former_of(store::Session& session, const std::string& list_id, std::int64_t customer_id);
    static bool was_erased(store::Session& session, std::int64_t customer_id);
    // Of an erased customer nothing is stored: the contact is removed there.
    static void put(store::Transaction& tx, const std::string& list_id, const Member& member, bool withdraws,
                    Instant now);
    static std::vector<Member> withdrawals(store::Session& session, std::int64_t most);
    static void withdrawn(store::Transaction& tx, std::int64_t member_id);
    // It waits behind the others from now on.
    static void tried(store::Transaction& tx, std::int64_t member_id, Instant now);

    static void report(store::Transaction& tx, const Report& report);
    static std::vector<Report> reports(store::Session& session, std::int64_t most);
    static void drop_report(store::Transaction& tx, std::int64_t id);
    static std::optional<std::int64_t> customer_of(store::Session& session, const std::string& email);

    static void remove_later(store::Transaction& tx, const std::string& list_id, const std::string& hash, Instant now);
    static std::vector<Removal> removals(store::Session& session, Instant now, std::int64_t most);
    static void removed(store::Transaction& tx, std::int64_t id);
    static void removal_failed(store::Transaction& tx, std::int64_t id, Instant next);

    // All sending rests until then.
    static void pause(store::Transaction& tx, std::string_view problem, const std::string& detail, Instant resume_at,
                      Instant now);
    static void resume(store::Transaction& tx);

    static void log(store::Transaction& tx, const LogEntry& entry, Instant now);
    static Counts counts(store::Session& session, const std::string& list_id);
};

// Which customers a full run looks at, and those whose contact has to follow what happened unheard.
struct Runs {
    // Begins a run over all customers who are or were to be contacts; returns how many there are.
    static std::int64_t begin(store::Transaction& tx, const Configuration& now_set, Instant now);
    // Queues the next ones of the run.
    static void queue_next(store::Transaction& tx, const Configuration& now_set, std::int64_t after, std::int64_t most,
                           Instant now);
    static std::int64_t waiting(store::Session& session);
    static void end(store::Transaction& tx, Instant now);
    // Queues customers whose contact no longer fits their consent or address, at most `most`.
    static void queue_strays(store::Transaction& tx, const std::string& list_id, std::int64_t most, Instant now);
};

}  // namespace svc::pro::mailchimp
