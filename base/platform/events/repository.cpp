// SQL on svc_domain_events.
#include "base/platform/events/repository.hpp"

#include "shared/core/correlation.hpp"
#include "shared/store/later.hpp"
#include "shared/store/typed.hpp"

namespace svc::events::rows {
namespace {

using store::Dialect;

struct Subject {
    std::optional<std::string> type;
    std::optional<std::int64_t> id;
};

// svc_booking_created(12, ...) is about booking 12. Events about one subject run in order, whichever processes wrote
// them.
Subject subject_of(std::string_view name, std::string_view arguments) {
    const auto noun = name.substr(name.find('_') + 1);
    const auto first = arguments.substr(1, arguments.find_first_of(",]") - 1);
    std::int64_t id = 0;
    for (const char c : first) {
        if (c < '0' || c > '9' || id > INT64_MAX / 10 - 1)
            return {};
        id = id * 10 + (c - '0');
    }
    if (id == 0)
        return {};
    return {std::string(noun.substr(0, noun.find('_'))), id};
}

std::optional<std::string> maybe(const std::string& text) { return text.empty() ? std::nullopt : std::optional(text); }

std::string list_of(const std::vector<std::int64_t>& ids, Dialect dialect) {
    std::string text(1, dialect == Dialect::sqlite ? '[' : '{');
    for (const auto id : ids) {
        if (text.size() > 1)
            text += ',';
        text += std::to_string(id);
    }
    return text + (dialect == Dialect::sqlite ? ']' : '}');
}

}  // namespace

void insert(store::Transaction& tx, const New& event, const std::string& process, std::chrono::microseconds lease) {
    const auto subject = subject_of(event.name, event.arguments);
    const store::Params params{{"name", event.name},
                               {"subject_type", subject.type},
                               {"subject_id", subject.id},
                               {"arguments", event.arguments},
                               {"now", event.now},
                               {"process", process},
                               {"lease", std::int64_t{lease.count()}},
                               {"request", maybe(Correlation::current())}};
    if (!event.has_listener)
        store::run_later(
            tx,
            "INSERT INTO svc_domain_events (name, subject_type, subject_id, arguments, occurred_at, dispatched_at,"
            " request_id) VALUES (:name, :subject_type, :subject_id, :arguments, :now, :now, :request)",
            params);
    else if (tx.dialect() == Dialect::sqlite)
        store::run_later(tx,
                         "INSERT INTO svc_domain_events"
                         " (name, subject_type, subject_id, arguments, occurred_at, request_id, leased_by, lease_until)"
                         " VALUES (:name, :subject_type, :subject_id, :arguments, :now, :request, :process,"
                         " CAST((julianday('now') - 2440587.5) * 86400000000.0 AS INTEGER) + :lease)",
                         params);
    else
        store::run_later(tx,
                         "INSERT INTO svc_domain_events"
                         " (name, subject_type, subject_id, arguments, occurred_at, request_id, leased_by, lease_until)"
                         " VALUES (:name, :subject_type, :subject_id, :arguments, :now, :request, :process,"
                         " CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000000 AS BIGINT) + :lease)",
                         params);
}

std::vector<EventRow> ready(store::Session& session, const std::string& process, int most) {
    const store::Params params{{"process", process}, {"attempts", most_attempts}, {"most", most}};
    const char* statement =
        session.dialect() == Dialect::sqlite
            ? "SELECT e.id, e.name, e.arguments,"
              " e.lease_until - CAST((julianday('now') - 2440587.5) * 86400000000.0 AS INTEGER), e.request_id"
              " FROM svc_domain_events e WHERE e.dispatched_at IS NULL AND e.leased_by = :process"
              " AND NOT EXISTS (SELECT 1 FROM svc_domain_events o WHERE o.dispatched_at IS NULL"
              " AND o.subject_type = e.subject_type AND o.subject_id = e.subject_id AND o.id < e.id"
              " AND o.leased_by <> e.leased_by AND o.attempts < :attempts)"
              " ORDER BY e.id LIMIT :most"
            : "SELECT e.id, e.name, e.arguments,"
              " e.lease_until - CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000000 AS BIGINT), e.request_id"
              " FROM svc_domain_events e WHERE e.dispatched_at IS NULL AND e.leased_by = :process"
              " AND NOT EXISTS (SELECT 1 FROM svc_domain_events o WHERE o.dispatched_at IS NULL"
              " AND o.subject_type = e.subject_type AND o.subject_id = e.subject_id AND o.id < e.id"
              " AND o.leased_by <> e.leased_by AND o.attempts < :attempts)"
              " ORDER BY e.id LIMIT :most";
    std::vector<EventRow> rows;
    for (auto& [id, name, arguments, lease_left, request_id] :
         store::tuples<std::int64_t, std::string, std::string, std::optional<std::int64_t>, std::optional<std::string>>(
             session, statement, params))
        rows.push_back({id, std::move(name), std::move(arguments), std::chrono::microseconds(lease_left.value_or(0)),
                        request_id.value_or("")});
    return rows;
}

std::int64_t open(store::Session& session, const std::string& process) {
    return session.number("SELECT COUNT(*) FROM svc_domain_events WHERE dispatched_at IS NULL AND leased_by = :process",
                          {{"process", process}});
}

void renew(store::Transaction& tx, const std::string& process, std::chrono::microseconds lease) {
    const store::Params params{{"process", process}, {"lease", std::int64_t{lease.count()}}};
    if (tx.dialect() == Dialect::sqlite)
        tx.run(
            "UPDATE svc_domain_events"
            " SET lease_until = CAST((julianday('now') - 2440587.5) * 86400000000.0 AS INTEGER) + :lease"
            " WHERE dispatched_at IS NULL AND leased_by = :process",
            params);
    else
        tx.run(
            "UPDATE svc_domain_events"
            " SET lease_until = CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000000 AS BIGINT) + :lease"
            " WHERE dispatched_at IS NULL AND leased_by = :process",
            params);
}

void mark_dispatched(store::Transaction& tx, const std::string& process, const std::vector<std::int64_t>& ids,
                     Instant now) {
    if (ids.empty())
        return;
    if (ids.size() == 1) {  // as most are on a quiet site; a list of one takes longer to read
        tx.run(
            "UPDATE svc_domain_events SET dispatched_at = :now, leased_by = NULL, lease_until = NULL"
            " WHERE id = :id AND leased_by = :process AND dispatched_at IS NULL",
            {{"now", now}, {"id", ids.front()}, {"process", process}});
        return;
    }
    const store::Params params{{"ids", list_of(ids, tx.dialect())}, {"now", now}, {"process", process}};
    if (tx.dialect() == Dialect::sqlite)
        tx.run(
            "UPDATE svc_domain_events SET dispatched_at = :now, leased_by = NULL, lease_until = NULL"
            " WHERE id IN (SELECT value FROM json_each(:ids)) AND leased_by = :process AND dispatched_at IS NULL",
            params);
    else
        tx.run(
            "UPDATE svc_domain_events SET dispatched_at = :now, leased_by = NULL, lease_until = NULL"
            " WHERE id = ANY(CAST(:ids AS BIGINT[])) AND leased_by = :process AND dispatched_at IS NULL",
            params);
}

std::int64_t claim(store::Transaction& tx, const std::string& process, std::chrono::microseconds lease, int most) {
    const store::Params params{
        {"process", process}, {"lease", std::int64_t{lease.count()}}, {"attempts", most_attempts}, {"most", most}};
    if (tx.dialect() == Dialect::sqlite)
        return tx.run(
            "UPDATE svc_domain_events SET leased_by = :process, attempts = attempts + 1,"
            " lease_until = CAST((julianday('now') - 2440587.5) * 86400000000.0 AS INTEGER) + :lease"
            " WHERE id IN (SELECT id FROM svc_domain_events WHERE dispatched_at IS NULL AND attempts < :attempts"
            " AND lease_until < CAST((julianday('now') - 2440587.5) * 86400000000.0 AS INTEGER)"
            " ORDER BY id LIMIT :most)",
            params);
    return tx.run(
        "UPDATE svc_domain_events SET leased_by = :process, attempts = attempts + 1,"
        " lease_until = CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000000 AS BIGINT) + :lease"
        " WHERE id IN (SELECT id FROM svc_domain_events WHERE dispatched_at IS NULL AND attempts < :attempts"
        " AND lease_until < CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000000 AS BIGINT)"
        " ORDER BY id LIMIT :most FOR UPDATE SKIP LOCKED)",
        params);
}

void release(store::Transaction& tx, const std::string& process) {
    tx.run("UPDATE svc_domain_events SET lease_until = 0 WHERE dispatched_at IS NULL AND leased_by = :process",
           {{"process", process}});
}

void bury(store::Transaction& tx, std::int64_t id, std::string_view why) {
    tx.run(
        "UPDATE svc_domain_events SET attempts = :most, leased_by = NULL, lease_until = 0, error = :why"
        " WHERE id = :id",
        {{"id", id}, {"most", most_attempts}, {"why", why}});
}

std::optional<Instant> waits_since(store::Session& session) {
    return store::value<Instant>(session,
                                 "SELECT occurred_at FROM svc_domain_events WHERE dispatched_at IS NULL"
                                 " AND attempts < :most ORDER BY id LIMIT 1",
                                 {{"most", most_attempts}});
}

std::vector<DeadEvent> dead(store::Session& session, int most) {
    const store::Params params{{"attempts", most_attempts}, {"most", most}};
    return store::structs<DeadEvent, std::int64_t, std::string, Instant, std::string>(
        session,
        session.dialect() == Dialect::sqlite
            ? "SELECT id, name, occurred_at, COALESCE(error, '') FROM svc_domain_events WHERE dispatched_at IS NULL"
              " AND attempts >= :attempts"
              " AND lease_until < CAST((julianday('now') - 2440587.5) * 86400000000.0 AS INTEGER)"
              " ORDER BY id LIMIT :most"
            : "SELECT id, name, occurred_at, COALESCE(error, '') FROM svc_domain_events WHERE dispatched_at IS NULL"
              " AND attempts >= :attempts"
              " AND lease_until < CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000000 AS BIGINT)"
              " ORDER BY id LIMIT :most",
        params);
}

bool revive(store::Transaction& tx, std::int64_t id) {
    return tx.run(
               "UPDATE svc_domain_events SET attempts = 0, error = NULL"
               " WHERE id = :id AND dispatched_at IS NULL AND attempts >= :most",
               {{"id", id}, {"most", most_attempts}}) == 1;
}

std::int64_t purge(store::Transaction& tx, Instant dispatched_before, int most) {
    return tx.run(
        "DELETE FROM svc_domain_events WHERE id IN"
        " (SELECT id FROM svc_domain_events WHERE dispatched_at < :before ORDER BY dispatched_at LIMIT :most)",
        {{"before", dispatched_before}, {"most", most}});
}

}  // namespace svc::events::rows
