// Queue, members, reports and the state of the module.
#include "pro/mailchimp/repository.hpp"

#include "pro/mailchimp/client.hpp"
#include "shared/core/text.hpp"
#include "shared/store/typed.hpp"

namespace svc::pro::mailchimp {
namespace {

using json::Value;
using store::Params;

#define SVC_MEMBER_COLUMNS                                                                           \
    "SELECT id, email, customer_id, status, status_at, is_theirs, is_ours, tags, sent, list_id FROM" \
    " svc_mailchimp_members "

std::vector<std::string> texts_in(const std::string& json_text) {
    std::vector<std::string> texts;
    if (const auto list = json::parse(json_text); list && list->is_array())
        for (const Value& each : list->items())
            if (each.is_string())
                texts.push_back(each.text());
    return texts;
}

std::string json_of(const std::vector<std::string>& texts) {
    Value list = Value::array();
    for (const std::string& text : texts)
        list.push(text);
    return list.dump();
}

std::vector<Member> members_of(store::Session& session, std::string_view sql, const Params& params) {
    std::vector<Member> members;
    store::each_row(session, sql, params,
                    [&](std::int64_t id, const std::string& email, std::int64_t customer_id, const std::string& state,
                        Instant status_at, bool is_theirs, bool is_ours, const std::string& tags,
                        const std::string& sent, const std::string& list_id) {
                        members.push_back({.id = id,
                                           .email = email,
                                           .customer_id = customer_id,
                                           .status = state,
                                           .status_at = status_at,
                                           .is_theirs = is_theirs,
                                           .is_ours = is_ours,
                                           .tags = texts_in(tags),
                                           .sent = sent,
                                           .list_id = list_id});
                    });
    return members;
}

// Whom a full run looks at: recorded opt-ins, contacts that we subscribed, and with the setting those who booked.
#define SVC_OF_RUN                                                                                                    \
    " FROM svc_customer_v1 c WHERE c.id > :after AND c.erased_at IS NULL AND ((c.newsletter_optin = 1 AND"            \
    " c.newsletter_optin_at IS NOT NULL) OR EXISTS (SELECT 1 FROM svc_mailchimp_members m WHERE m.customer_id = c.id" \
    " AND m.list_id = :list_id AND m.is_ours = 1 AND m.status IN ('subscribed', 'pending')) OR"                       \
    " (CAST(:transactional AS BIGINT) = 1 AND EXISTS (SELECT 1 FROM svc_booking_travel_v1 t WHERE t.customer_id ="    \
    " c.id)))"

Params of_run(const Configuration& now_set, std::int64_t after) {
    return {
        {"after", after}, {"list_id", now_set.list_id}, {"transactional", std::int64_t{now_set.transactional ? 1 : 0}}};
}

}  // namespace

void Repository::begin(store::Transaction& tx, const std::string& sealed_secret) {
    tx.run("INSERT INTO svc_mailchimp_state (id, secret) VALUES (1, :secret) ON CONFLICT (id) DO NOTHING",
           {{"secret", sealed_secret}});
}

std::string Repository::secret(store::Session& session) {
    return store::value<std::string>(session, "SELECT secret FROM svc_mailchimp_state WHERE id = 1", {}).value_or("");
}

void Repository::set_secret(store::Transaction& tx, const std::string& sealed_secret) {
    tx.run("UPDATE svc_mailchimp_state SET secret = :secret WHERE id = 1", {{"secret", sealed_secret}});
}

State Repository::state(store::Session& session) {
    using At = std::optional<Instant>;
    return store::first_struct<State, std::string, std::string, At, std::int64_t, At, At, At, At, At,
                               std::optional<std::int64_t>, std::int64_t, std::int64_t, std::int64_t, std::int64_t>(
               session,
               "SELECT problem, problem_detail, problem_at, failures, resume_at, last_sync_at, looked_at,"
               " run_started_at, run_ended_at, run_after, run_total, run_synced, run_skipped, run_failed"
               " FROM svc_mailchimp_state WHERE id = 1",
               {})
        .value_or(State{});
}

void Repository::queue(store::Transaction& tx, std::int64_t customer_id, std::string_view cause,
                       std::optional<std::int64_t> booking_id, Instant now) {
    tx.run(
        "INSERT INTO svc_mailchimp_queue (customer_id, cause, booking_id, next_attempt_at, created_at) VALUES"
        " (:customer_id, :cause, :booking_id, :now, :now) ON CONFLICT (customer_id) DO UPDATE SET cause ="
        " excluded.cause, booking_id = COALESCE(excluded.booking_id, svc_mailchimp_queue.booking_id),"
        " generation = svc_mailchimp_queue.generation + 1, next_attempt_at = excluded.next_attempt_at",
        {{"customer_id", customer_id}, {"cause", cause}, {"booking_id", booking_id}, {"now", now}});
}

bool Repository::has_member(store::Session& session, std::int64_t customer_id) {
    return session.number("SELECT COUNT(*) FROM svc_mailchimp_members WHERE customer_id = :id", {{"id", customer_id}}) >
           0;
}

std::vector<Queued> Repository::claim(store::Transaction& tx, Instant now, Instant until, std::int64_t most) {
    auto due = store::structs<Queued, std::int64_t, std::int64_t, std::string, std::optional<std::int64_t>,
                              std::int64_t, std::int64_t, bool>(
        tx,
        "SELECT id, customer_id, cause, booking_id, generation, attempts, in_run FROM svc_mailchimp_queue"
        " WHERE next_attempt_at <= :now AND (claimed_until IS NULL OR claimed_until <= :now)"
        " ORDER BY in_run, next_attempt_at, id LIMIT :most",
        {{"now", now}, {"most", most}});
    std::erase_if(due, [&](const Queued& row) {
        return tx.run(
                   "UPDATE svc_mailchimp_queue SET claimed_until = :until WHERE id = :id AND (claimed_until IS NULL OR"
                   " claimed_until <= :now)",
                   {{"id", row.id}, {"until", until}, {"now", now}}) == 0;
    });
    return due;
}

void Repository::finish(store::Transaction& tx, const Queued& row, std::string_view outcome, Instant now) {
    if (tx.run("DELETE FROM svc_mailchimp_queue WHERE id = :id AND generation = :generation",
               {{"id", row.id}, {"generation", row.generation}}) == 0)
        tx.run("UPDATE svc_mailchimp_queue SET claimed_until = NULL, attempts = 0, in_run = 0 WHERE id = :id",
               {{"id", row.id}});
    const std::int64_t counted = row.in_run ? 1 : 0;
    const auto part = [&](std::string_view name) { return outcome == name ? counted : std::int64_t{0}; };
    tx.run(
        "UPDATE svc_mailchimp_state SET run_synced = run_synced + :synced, run_skipped = run_skipped + :skipped,"
        " run_failed = run_failed + :failed, last_sync_at = CASE WHEN CAST(:is_sent AS BIGINT) = 1 THEN"
        " CAST(:now AS BIGINT) ELSE last_sync_at END WHERE id = 1",
        {{"synced", part("synced")},
         {"skipped", part("skipped")},
         {"failed", part("failed")},
         {"is_sent", std::int64_t{outcome == "synced" ? 1 : 0}},
         {"now", now}});
}

void Repository::release(store::Transaction& tx, const Queued& row, std::int64_t attempts, Instant next) {
    tx.run(
        "UPDATE svc_mailchimp_queue SET claimed_until = NULL, attempts = :attempts, next_attempt_at = :next"
        " WHERE id = :id",
        {{"id", row.id}, {"attempts", attempts}, {"next", next}});
}

std::optional<Member> Repository::member(store::Session& session, const std::string& list_id,
                                         const std::string& email) {
    auto found = members_of(session, SVC_MEMBER_COLUMNS "WHERE list_id = :list_id AND email = :email",
                            {{"list_id", list_id}, {"email", email}});
    return found.empty() ? std::nullopt : std::optional(std::move(found.front()));
}

std::vector<Member> Repository::others_of(store::Session& session, const std::string& list_id, std::int64_t customer_id,
                                          const std::string& email) {
    return members_of(session,
                      SVC_MEMBER_COLUMNS "WHERE customer_id = :customer_id AND list_id = :list_id AND email <> :email",
                      {{"customer_id", customer_id}, {"list_id", list_id}, {"email", email}});
}

std::vector<Member> Repository::former_of(store::Session& session, const std::string& list_id,
                                          std::int64_t customer_id) {
    return members_of(session,
                      SVC_MEMBER_COLUMNS
                      "WHERE customer_id = :customer_id AND list_id <> :list_id AND is_ours = 1 AND status IN"
                      " ('subscribed', 'pending')",
                      {{"customer_id", customer_id}, {"list_id", list_id}});
}

bool Repository::was_erased(store::Session& session, std::int64_t customer_id) {
    return session.number("SELECT COUNT(*) FROM svc_customer_v1 WHERE id = :id AND erased_at IS NOT NULL",
                          {{"id", customer_id}}) > 0;
}

void Repository::put(store::Transaction& tx, const std::string& list_id, const Member& member, bool withdraws,
                     Instant now) {
    // Erased while it was being sent: nothing is kept, and what was sent is deleted there too.
    if (was_erased(tx, member.customer_id)) {
        remove_later(tx, list_id, member_hash(member.email), now);
        return;
    }
    tx.run(
        "INSERT INTO svc_mailchimp_members (list_id, email, customer_id, status, status_at, is_theirs, is_ours,"
        " withdraws, tags, sent, synced_at) VALUES (:list_id, :email, :customer_id, :status, :status_at, :is_theirs,"
        " :is_ours, :withdraws, :tags, :sent, :now) ON CONFLICT (list_id, email) DO UPDATE SET customer_id ="
        " excluded.customer_id, status = excluded.status, status_at = excluded.status_at, is_theirs ="
        " excluded.is_theirs, is_ours = excluded.is_ours, withdraws = excluded.withdraws, tags = excluded.tags,"
        " sent = excluded.sent, synced_at = excluded.synced_at",
        {{"list_id", list_id},
         {"email", member.email},
         {"customer_id", member.customer_id},
         {"status", member.status},
         {"status_at", member.status_at},
         {"is_theirs", std::int64_t{member.is_theirs ? 1 : 0}},
         {"is_ours", std::int64_t{member.is_ours ? 1 : 0}},
         {"withdraws", std::int64_t{withdraws ? 1 : 0}},
         {"tags", json_of(member.tags)},
         {"sent", member.sent},
         {"now", now}});
}

std::vector<Member> Repository::withdrawals(store::Session& session, std::int64_t most) {
    return members_of(session, SVC_MEMBER_COLUMNS "WHERE withdraws = 1 ORDER BY COALESCE(tried_at, 0), id LIMIT :most",
                      {{"most", most}});
}

void Repository::tried(store::Transaction& tx, std::int64_t member_id, Instant now) {
    tx.run("UPDATE svc_mailchimp_members SET tried_at = :now WHERE id = :id", {{"id", member_id}, {"now", now}});
}

void Repository::withdrawn(store::Transaction& tx, std::int64_t member_id) {
    tx.run("UPDATE svc_mailchimp_members SET withdraws = 0 WHERE id = :id", {{"id", member_id}});
}

void Repository::report(store::Transaction& tx, const Report& report) {
    tx.run(
        "INSERT INTO svc_mailchimp_reports (kind, list_id, email, received_at) VALUES (:kind, :list_id, :email, :at)",
        {{"kind", report.kind}, {"list_id", report.list_id}, {"email", report.email}, {"at", report.received_at}});
}

std::vector<Report> Repository::reports(store::Session& session, std::int64_t most) {
    return store::structs<Report, std::int64_t, std::string, std::string, std::string, Instant>(
        session, "SELECT id, kind, list_id, email, received_at FROM svc_mailchimp_reports ORDER BY id LIMIT :most",
        {{"most", most}});
}

void Repository::drop_report(store::Transaction& tx, std::int64_t id) {
    tx.run("DELETE FROM svc_mailchimp_reports WHERE id = :id", {{"id", id}});
}

std::optional<std::int64_t> Repository::customer_of(store::Session& session, const std::string& email) {
    return store::value<std::int64_t>(session, "SELECT id FROM svc_customer_v1 WHERE LOWER(email) = :email",
                                      {{"email", email}});
}

void Repository::remove_later(store::Transaction& tx, const std::string& list_id, const std::string& hash,
                              Instant now) {
    tx.run(
        "INSERT INTO svc_mailchimp_removals (list_id, member_hash, next_attempt_at, created_at) VALUES (:list_id,"
        " :hash, :now, :now) ON CONFLICT (list_id, member_hash) DO NOTHING",
        {{"list_id", list_id}, {"hash", hash}, {"now", now}});
}

std::vector<Removal> Repository::removals(store::Session& session, Instant now, std::int64_t most) {
    return store::structs<Removal, std::int64_t, std::string, std::string, std::int64_t>(
        session,
        "SELECT id, list_id, member_hash, attempts FROM svc_mailchimp_removals WHERE next_attempt_at <= :now"
        " ORDER BY id LIMIT :most",
        {{"now", now}, {"most", most}});
}

void Repository::removed(store::Transaction& tx, std::int64_t id) {
    tx.run("DELETE FROM svc_mailchimp_removals WHERE id = :id", {{"id", id}});
}

void Repository::removal_failed(store::Transaction& tx, std::int64_t id, Instant next) {
    tx.run("UPDATE svc_mailchimp_removals SET attempts = attempts + 1, next_attempt_at = :next WHERE id = :id",
           {{"id", id}, {"next", next}});
}

void Repository::pause(store::Transaction& tx, std::string_view problem, const std::string& detail, Instant resume_at,
                       Instant now) {
    tx.run(
        "UPDATE svc_mailchimp_state SET problem_at = CASE WHEN problem = :problem THEN problem_at ELSE"
        " CAST(:now AS BIGINT) END, problem = :problem, problem_detail = :detail, failures = failures + 1,"
        " resume_at = :resume_at WHERE id = 1",
        {{"problem", problem}, {"detail", detail}, {"resume_at", resume_at}, {"now", now}});
}

void Repository::resume(store::Transaction& tx) {
    tx.run(
        "UPDATE svc_mailchimp_state SET problem = '', problem_detail = '', problem_at = NULL, failures = 0,"
        " resume_at = NULL WHERE id = 1 AND (problem <> '' OR failures > 0)",
        {});
}

std::int64_t Runs::begin(store::Transaction& tx, const Configuration& now_set, Instant now) {
    const std::int64_t total = tx.number("SELECT COUNT(*)" SVC_OF_RUN, of_run(now_set, 0));
    tx.run("UPDATE svc_mailchimp_queue SET in_run = 0 WHERE in_run = 1", {});
    tx.run(
        "UPDATE svc_mailchimp_state SET run_started_at = :now, run_ended_at = NULL, run_after = 0, run_total = :total,"
        " run_synced = 0, run_skipped = 0, run_failed = 0 WHERE id = 1",
        {{"now", now}, {"total", total}});
    return total;
}

void Runs::queue_next(store::Transaction& tx, const Configuration& now_set, std::int64_t after, std::int64_t most,
                      Instant now) {
    Params params = of_run(now_set, after);
    params.emplace_back("most", most);
    const auto ids = store::values<std::int64_t>(tx, "SELECT c.id" SVC_OF_RUN " ORDER BY c.id LIMIT :most", params);
    for (const std::int64_t id : ids)
        tx.run(
            "INSERT INTO svc_mailchimp_queue (customer_id, cause, next_attempt_at, in_run, created_at) VALUES (:id,"
            " 'all', :now, 1, :now) ON CONFLICT (customer_id) DO UPDATE SET cause = 'all', in_run = 1,"
            " generation = svc_mailchimp_queue.generation + 1, next_attempt_at = excluded.next_attempt_at",
            {{"id", id}, {"now", now}});
    const auto last = ids.empty() ? std::nullopt : std::optional(ids.back());
    tx.run("UPDATE svc_mailchimp_state SET run_after = :last WHERE id = 1", {{"last", last}});
}

std::int64_t Runs::waiting(store::Session& session) {
    return session.number("SELECT COUNT(*) FROM svc_mailchimp_queue WHERE in_run = 1", {});
}

void Runs::end(store::Transaction& tx, Instant now) {
    tx.run("UPDATE svc_mailchimp_state SET run_ended_at = :now WHERE id = 1", {{"now", now}});
}

void Runs::queue_strays(store::Transaction& tx, const std::string& list_id, std::int64_t most, Instant now) {
    const auto strays = store::tuples<std::int64_t, std::int64_t>(
        tx,
        "SELECT m.id, m.customer_id FROM svc_mailchimp_members m LEFT JOIN svc_customer_v1 c ON c.id = m.customer_id"
        " WHERE (m.list_id = :list_id AND m.status IN ('subscribed', 'pending', 'transactional') AND (c.id IS NULL"
        " OR LOWER(c.email) <> m.email OR (m.is_ours = 1 AND c.newsletter_optin = 0)))"
        " OR (m.list_id <> :list_id AND m.status IN ('subscribed', 'pending') AND m.is_ours = 1 AND (c.id IS NULL"
        " OR c.newsletter_optin = 0)) ORDER BY COALESCE(m.tried_at, 0), m.id LIMIT :most",
        {{"list_id", list_id}, {"most", most}});
    for (const auto& [member_id, customer_id] : strays) {
        Repository::queue(tx, customer_id, "customer", std::nullopt, now);
        Repository::tried(tx, member_id, now);
    }
    tx.run("UPDATE svc_mailchimp_state SET looked_at = :now WHERE id = 1", {{"now", now}});
}

void Repository::log(store::Transaction& tx, const LogEntry& entry, Instant now) {
    tx.run(
        "INSERT INTO svc_mailchimp_log (customer_id, booking_id, email, action, status, reason, detail, http_status,"
        " search, created_at) VALUES (:customer_id, :booking_id, :email, :action, :status, :reason, :detail,"
        " :http_status, :search, :now)",
        {{"customer_id", entry.customer_id},
         {"booking_id", entry.booking_id},
         {"email", entry.email},
         {"action", entry.action},
         {"status", entry.status},
         {"reason", entry.reason},
         {"detail", entry.detail},
         {"http_status", entry.http_status},
         {"search", text::folded(entry.email)},
         {"now", now}});
}

Counts Repository::counts(store::Session& session, const std::string& list_id) {
    Counts counts;
    counts.customers = session.number("SELECT COUNT(*) FROM svc_customer_v1 WHERE erased_at IS NULL", {});
    counts.opted_in = session.number(
        "SELECT COUNT(*) FROM svc_customer_v1 WHERE erased_at IS NULL AND newsletter_optin = 1 AND"
        " newsletter_optin_at IS NOT NULL",
        {});
    store::each_row(session,
                    "SELECT status, is_theirs, COUNT(*) FROM svc_mailchimp_members WHERE list_id = :list_id"
                    " GROUP BY status, is_theirs",
                    {{"list_id", list_id}}, [&](const std::string& state, bool is_theirs, std::int64_t count) {
                        if (state == status::subscribed)
                            counts.subscribed += count;
                        else if (state == status::pending)
                            counts.pending += count;
                        else if (state == status::transactional)
                            counts.transactional += count;
                        else if (state == status::compliance || state == status::rejected)
                            counts.refused += count;
                        else if (is_theirs)
                            counts.left += count;
                    });
    counts.waiting = session.number("SELECT COUNT(*) FROM svc_mailchimp_queue", {}) +
                     session.number("SELECT COUNT(*) FROM svc_mailchimp_removals", {});
    return counts;
}

const record::Record<LogEntry>& log_record() {
    using namespace record;
    using L = LogEntry;
    static const Record<L> entry{
        {.table = "svc_mailchimp_log",
         .component = "MailchimpLogEntry",
         .search_column = "search",
         .sorts = {{"id", {"r.id"}}, {"created_at", {"r.created_at"}}},
         .default_sort = "id",
         .conditions = {{"customer_id", "r.customer_id = :customer_id"}, {"reason", "r.reason = :reason"}}},
        {id(&L::id), column("customer_id", &L::customer_id, api::id(), by_server),
         column("booking_id", &L::booking_id, api::id(), by_server, "Of the booking that was the cause."),
         column("email", &L::email, api::text(254), by_server),
         column("action", &L::action, api::text(40), by_server,
                "upsert, unsubscribe, archive, tags, forget, report or consent."),
         column("status", &L::status, api::choice({"sent", "skipped", "failed", "received"}), by_server | sortable,
                "received: Mailchimp reported it."),
         column("reason", &L::reason, api::text(40), by_server,
                "Why it was not sent, or what was reported: no_opt_in, unsubscribed_there, cleaned, archived_there,"
                " compliance, rejected, gone, key, list, throttled, unavailable, garbled."),
         column("detail", &L::detail, api::text(500), by_server, "In the words of Mailchimp."),
         column("http_status", &L::http_status, api::integer(0), by_server),
         column("created_at", &L::created_at, api::instant(), by_server_on_create)}};
    return entry;
}

}  // namespace svc::pro::mailchimp
