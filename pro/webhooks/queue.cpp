// The statements by which deliveries are claimed, in the order of their bookings, and their attempts stored.
#include "pro/webhooks/repository.hpp"
#include "shared/store/typed.hpp"

namespace svc::pro::webhooks {

void Repository::insert(store::Transaction& tx, Delivery& delivery) {
    delivery_record().insert(tx, delivery, {.user_id = {}, .now = delivery.created_at});
}

// Messages about one booking or account go out in their order: none is due before the earlier ones have ended. A
// delivery whose process died is due again when its claim is over. The sum keeps PostgreSQL from looking at each
// waiting delivery of the endpoint for each of them, which it plans while a table that has grown has no statistics yet.
#define SVC_DUE                                                                                       \
    "((r.status IN ('queued', 'failed') AND r.next_attempt_at <= :now)"                               \
    " OR (r.status = 'delivering' AND r.claimed_until <= :now))"                                      \
    " AND NOT EXISTS (SELECT 1 FROM svc_webhook_deliveries b WHERE b.endpoint_id + 0 = r.endpoint_id" \
    " AND b.subject_type = r.subject_type AND b.subject_id = r.subject_id AND b.id < r.id"            \
    " AND b.status IN ('queued', 'delivering', 'failed'))"

std::vector<Lane> Repository::due_lanes(store::Session& session, Instant now, std::int64_t most) {
    return store::structs<Lane, std::int64_t, std::int64_t>(
        session,
        "SELECT r.endpoint_id, r.lane FROM svc_webhook_deliveries r JOIN svc_webhook_endpoints e ON e.id = "
        "r.endpoint_id"
        " WHERE " SVC_DUE
        " AND e.is_active = 1 AND (e.resume_at IS NULL OR e.resume_at <= :now)"
        " GROUP BY r.endpoint_id, r.lane ORDER BY MIN(r.id) LIMIT :most",
        {{"now", now}, {"most", most}});
}

std::vector<Delivery> Repository::claim(store::Transaction& tx, Lane lane, Instant now, Instant until,
                                        std::int64_t most) {
    static const std::string sql = delivery_record().select(
        "WHERE r.endpoint_id = :endpoint_id AND r.lane = :lane AND " SVC_DUE " ORDER BY r.id LIMIT :most");
    auto due = delivery_record().all(
        tx, sql, {{"endpoint_id", lane.endpoint_id}, {"lane", lane.number}, {"now", now}, {"most", most}});
    std::erase_if(due, [&](const Delivery& delivery) {
        return tx.run(
                   "UPDATE svc_webhook_deliveries SET status = 'delivering', claimed_until = :until WHERE id = :id"
                   " AND (status IN ('queued', 'failed') OR claimed_until <= :now)",
                   {{"id", delivery.id}, {"until", until}, {"now", now}}) == 0;
    });
    return due;
}

void Repository::release(store::Transaction& tx, std::int64_t id, Instant now) {
    tx.run(
        "UPDATE svc_webhook_deliveries SET status = CASE WHEN attempts = 0 THEN 'queued' ELSE 'failed' END,"
        " next_attempt_at = :now, claimed_until = NULL WHERE id = :id AND status = 'delivering'",
        {{"id", id}, {"now", now}});
}

void Repository::record(store::Transaction& tx, const Attempt& attempt, bool logs, Instant now) {
    const Delivery& d = attempt.delivery;
    tx.run(
        "UPDATE svc_webhook_deliveries SET status = :status, attempts = :attempts, next_attempt_at = :next,"
        " claimed_until = NULL, http_status = :http_status, duration_ms = :duration_ms, error_message = :error,"
        " request_headers = :request_headers, response_headers = :response_headers, response_body = :response_body,"
        " delivered_at = :delivered_at WHERE id = :id AND status = 'delivering'",
        {{"id", d.id},
         {"status", d.status},
         {"attempts", d.attempts},
         {"next", d.next_attempt_at},
         {"http_status", d.http_status},
         {"duration_ms", d.duration_ms},
         {"error", d.error_message},
         {"request_headers", logs ? d.request_headers : std::string()},
         {"response_headers", logs ? d.response_headers : std::string()},
         {"response_body", logs ? d.response_body : std::string()},
         {"delivered_at", d.delivered_at}});
    if (attempt.is_success) {
        tx.run(
            "UPDATE svc_webhook_endpoints SET consecutive_failures = 0, failing_since = NULL, resume_at = NULL,"
            " last_delivered_at = :now, last_status = :status WHERE id = :id",
            {{"id", d.endpoint_id}, {"now", now}, {"status", d.http_status}});
        return;
    }
    tx.run(
        "UPDATE svc_webhook_endpoints SET consecutive_failures = consecutive_failures + 1,"
        " failing_since = COALESCE(failing_since, :now), last_status = :status, resume_at = :resume_at"
        " WHERE id = :id",
        {{"id", d.endpoint_id},
         {"now", now},
         {"status", d.http_status},
         {"resume_at", attempt.endpoint_rests ? attempt.rests_until : std::nullopt}});
}

bool Repository::pause(store::Transaction& tx, std::int64_t endpoint_id, std::string_view reason, Instant now) {
    return tx.run(
               "UPDATE svc_webhook_endpoints SET is_active = 0, paused_at = :now, pause_reason = :reason,"
               " row_version = row_version + 1, updated_at = :now WHERE id = :id AND is_active = 1",
               {{"id", endpoint_id}, {"reason", reason}, {"now", now}}) > 0;
}

}  // namespace svc::pro::webhooks
