// The statements of events, samples and what is replayed.
#include "pro/webhooks/repository.hpp"

#include "shared/store/typed.hpp"

namespace svc::pro::webhooks {
namespace {

using json::Value;
using store::Params;

#define SVC_EVENT_COLUMNS \
    "SELECT seq, uid, event_key, subject_type, subject_id, payload, occurred_at FROM svc_webhook_events "

std::vector<StoredEvent> events_of(store::Session& session, std::string_view sql, const Params& params) {
    return store::structs<StoredEvent, std::int64_t, std::string, std::string, std::string, std::int64_t, std::string,
                          Instant>(session, sql, params);
}

// Absent values match any.
#define SVC_MATCHING                                                                                        \
    " FROM svc_webhook_deliveries WHERE status <> 'delivering'"                                             \
    " AND (:endpoint_id = 0 OR endpoint_id = :endpoint_id) AND (:event_key = '' OR event_key = :event_key)" \
    " AND (:status = '' OR status = :status) AND created_at >= :after AND created_at < :before"

Params params_of(const Filter& filter) {
    return {{"endpoint_id", filter.endpoint_id.value_or(0)},
            {"event_key", filter.event_key},
            {"status", filter.status},
            {"after", filter.after ? filter.after->micros() : INT64_MIN},
            {"before", filter.before ? filter.before->micros() : INT64_MAX}};
}

}  // namespace

bool Repository::insert_event(store::Transaction& tx, StoredEvent& event, const std::string& fingerprint, Instant now) {
    if (tx.number("SELECT COUNT(*) FROM svc_webhook_events WHERE fingerprint = :fingerprint",
                  {{"fingerprint", fingerprint}}) > 0)
        return false;
    // The row stays locked until the commit: numbers appear in their order.
    tx.run("UPDATE svc_webhook_sequence SET last_seq = last_seq + 1 WHERE id = 1", {});
    event.seq = tx.number("SELECT last_seq FROM svc_webhook_sequence WHERE id = 1", {});
    return tx.run(
               "INSERT INTO svc_webhook_events (seq, uid, fingerprint, event_key, subject_type, subject_id, payload,"
               " occurred_at, created_at) VALUES (:seq, :uid, :fingerprint, :event_key, :subject_type, :subject_id,"
               " :payload, :occurred_at, :now) ON CONFLICT (fingerprint) DO NOTHING",
               {{"seq", event.seq},
                {"uid", event.uid},
                {"fingerprint", fingerprint},
                {"event_key", event.event_key},
                {"subject_type", event.subject_type},
                {"subject_id", event.subject_id},
                {"payload", event.payload},
                {"occurred_at", event.occurred_at},
                {"now", now}}) > 0;
}

std::vector<StoredEvent> Repository::events_after(store::Session& session, std::int64_t seq,
                                                  const std::string& event_key, std::int64_t most) {
    return events_of(session,
                     SVC_EVENT_COLUMNS
                     "WHERE seq > :seq AND (:event_key = '' OR event_key = :event_key)"
                     " ORDER BY seq LIMIT :most",
                     {{"seq", seq}, {"event_key", event_key}, {"most", most}});
}

std::optional<StoredEvent> Repository::latest_event(store::Session& session, const std::string& event_key) {
    auto found = events_of(session, SVC_EVENT_COLUMNS "WHERE event_key = :event_key ORDER BY id DESC LIMIT 1",
                           {{"event_key", event_key}});
    return found.empty() ? std::nullopt : std::optional(std::move(found.front()));
}

std::vector<Endpoint> Repository::endpoints_for(store::Session& session, const std::string& event_key) {
    static const std::string sql = endpoint_record().select(
        "WHERE (r.is_active = 1 OR r.paused_at IS NOT NULL) AND r.event IN (:event_key, '*') ORDER BY r.id");
    return endpoint_record().all(session, sql, {{"event_key", event_key}});
}

bool Repository::requeue(store::Transaction& tx, std::int64_t id, const std::string& payload, Instant now) {
    return tx.run(
               "UPDATE svc_webhook_deliveries SET status = 'queued', attempts = 0, next_attempt_at = :now,"
               " claimed_until = NULL, http_status = NULL, duration_ms = NULL, error_message = NULL,"
               " request_headers = '', response_headers = '', response_body = '', delivered_at = NULL,"
               " payload = :payload WHERE id = :id AND status <> 'delivering'",
               {{"id", id}, {"payload", payload}, {"now", now}}) > 0;
}

std::vector<std::int64_t> Repository::matching(store::Session& session, const Filter& filter, std::int64_t most) {
    Params params = params_of(filter);
    params.emplace_back("most", most);
    return store::values<std::int64_t>(session, "SELECT id" SVC_MATCHING " ORDER BY id LIMIT :most", params);
}

std::int64_t Repository::count_matching(store::Session& session, const Filter& filter) {
    return session.number("SELECT COUNT(*)" SVC_MATCHING, params_of(filter));
}

std::optional<Sample> Repository::sample(store::Session& session, const std::string& event_key) {
    return store::first_struct<Sample, std::optional<Instant>, std::optional<Instant>, std::string>(
        session, "SELECT armed_until, captured_at, payload FROM svc_webhook_samples WHERE event_key = :event_key",
        {{"event_key", event_key}});
}

void Repository::arm(store::Transaction& tx, const std::string& event_key, Instant until) {
    tx.run(
        "INSERT INTO svc_webhook_samples (event_key, armed_until) VALUES (:event_key, :until)"
        " ON CONFLICT (event_key) DO UPDATE SET armed_until = excluded.armed_until",
        {{"event_key", event_key}, {"until", until}});
}

void Repository::disarm(store::Transaction& tx, const std::string& event_key, bool forget) {
    tx.run(forget ? "DELETE FROM svc_webhook_samples WHERE event_key = :event_key"
                  : "UPDATE svc_webhook_samples SET armed_until = NULL WHERE event_key = :event_key",
           {{"event_key", event_key}});
}

void Repository::capture(store::Transaction& tx, const StoredEvent& event, Instant now) {
    tx.run(
        "UPDATE svc_webhook_samples SET armed_until = NULL, captured_at = :now, payload = :payload,"
        " subject_type = :subject_type, subject_id = :subject_id"
        " WHERE event_key = :event_key AND armed_until > :now",
        {{"event_key", event.event_key},
         {"payload", event.payload},
         {"subject_type", event.subject_type},
         {"subject_id", event.subject_id},
         {"now", now}});
}

Value Repository::dead_letters(store::Session& session) {
    Value by_endpoint = Value::array(), by_event = Value::array(), by_error = Value::array();
    for (const auto& [id, name, count] : store::tuples<std::int64_t, std::string, std::int64_t>(
             session,
             "SELECT d.endpoint_id, e.name, COUNT(*) FROM svc_webhook_deliveries d JOIN svc_webhook_endpoints e"
             " ON e.id = d.endpoint_id WHERE d.status = 'permanent_failure' GROUP BY d.endpoint_id, e.name"
             " ORDER BY COUNT(*) DESC, d.endpoint_id LIMIT 50"))
        by_endpoint.push(Value::object({{"endpoint_id", id}, {"name", name}, {"count", count}}));
    for (const auto& [key, count] : store::tuples<std::string, std::int64_t>(
             session,
             "SELECT event_key, COUNT(*) FROM svc_webhook_deliveries WHERE status = 'permanent_failure'"
             " GROUP BY event_key ORDER BY COUNT(*) DESC, event_key LIMIT 50"))
        by_event.push(Value::object({{"event_key", key}, {"count", count}}));
    std::int64_t total = 0;
    for (const auto& [error, count] : store::tuples<std::string, std::int64_t>(
             session,
             "SELECT COALESCE(error_message, ''), COUNT(*) FROM svc_webhook_deliveries"
             " WHERE status = 'permanent_failure' GROUP BY COALESCE(error_message, '')"
             " ORDER BY COUNT(*) DESC, COALESCE(error_message, '')")) {
        if (by_error.size() < 50)
            by_error.push(Value::object({{"fingerprint", error}, {"count", count}}));
        total += count;
    }
    return Value::object({{"total", total},
                          {"by_endpoint", std::move(by_endpoint)},
                          {"by_event", std::move(by_event)},
                          {"by_error", std::move(by_error)}});
}

std::int64_t Repository::delete_before(store::Transaction& tx, Instant before, std::int64_t most) {
    const Params params{{"before", before}, {"most", most}};
    return tx.run(
               "DELETE FROM svc_webhook_deliveries WHERE id IN (SELECT id FROM svc_webhook_deliveries"
               " WHERE created_at < :before AND status IN ('delivered', 'permanent_failure') LIMIT :most)",
               params) +
           tx.run(
               "DELETE FROM svc_webhook_events WHERE id IN (SELECT id FROM svc_webhook_events"
               " WHERE created_at < :before LIMIT :most)",
               params);
}

}  // namespace svc::pro::webhooks
