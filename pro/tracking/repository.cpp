// The statements of events.
#include "pro/tracking/repository.hpp"

#include "pro/common/tables.hpp"
#include "shared/store/typed.hpp"

namespace svc::pro::tracking {
namespace {

bool has_view(store::Session& session, const char* name) {
    return session.number(
               session.dialect() == store::Dialect::sqlite
                   ? "SELECT COUNT(*) FROM sqlite_master WHERE name = :name"
                   : "SELECT COUNT(*) FROM pg_views WHERE schemaname = current_schema() AND viewname = :name",
               {{"name", name}}) > 0;
}

}  // namespace

std::string occasion_of(std::string_view event, std::int64_t id) {
    return std::string(event) + ":" + std::to_string(id);
}

bool Repository::has_tables(store::Session& session) { return has_table(session, "svc_tracking_once"); }

bool Repository::knows_consent(store::Session& session) { return has_view(session, "svc_booking_consent_v1"); }

std::optional<Repository::Cart> Repository::cart(store::Session& session, std::int64_t booking_id) {
    if (!has_view(session, "svc_checkout_event_v1"))
        return std::nullopt;
    return store::first_row(session,
                            "SELECT event_id, created_at FROM svc_checkout_event_v1 WHERE booking_id = :id"
                            " ORDER BY created_at LIMIT 1",
                            {{"id", booking_id}},
                            [](const std::string& id, Instant at) { return Cart{.event_id = id, .at = at}; });
}

std::optional<BookedTrip> Repository::booking(store::Session& session, std::int64_t id) {
    return store::first_row(
        session,
        "SELECT b.reference, b.status, b.trip_id, t.title, b.travelers_count, b.total_minor, b.currency,"
        " c.contact_email, COALESCE(o.locale, ''), b.travel_date FROM svc_booking_v2 b"
        " JOIN svc_booking_v1 c ON c.id = b.id LEFT JOIN svc_booking_travel_v1 o ON o.booking_id = b.id"
        " LEFT JOIN svc_trip_v1 t ON t.id = b.trip_id WHERE b.id = :id",
        {{"id", id}},
        [](const std::string& reference, const std::string& state, std::optional<std::int64_t> trip,
           std::optional<std::string> title, std::int64_t travelers, std::int64_t total, const std::string& currency,
           std::optional<std::string> email, const std::string& language, std::optional<Date> travel_date) {
            return BookedTrip{.reference = reference,
                              .status = state,
                              .trip_id = trip.value_or(0),
                              .trip_title = title.value_or(""),
                              .travelers = travelers,
                              .total = Money(total, Currency::parse(currency).value()),
                              .email = email.value_or(""),
                              .language = language,
                              .travel_date = travel_date};
        });
}

std::optional<Visitor> Repository::visitor(store::Session& session, std::int64_t booking_id) {
    return store::first_row(
        session,
        "SELECT analytics, marketing, COALESCE(ga_client_id, ''), COALESCE(fbp, ''), COALESCE(fbc, ''),"
        " COALESCE(client_address, ''), COALESCE(user_agent, '') FROM svc_booking_consent_v1 WHERE booking_id = :id",
        {{"id", booking_id}},
        [](bool analytics, bool marketing, const std::string& client_id, const std::string& fbp, const std::string& fbc,
           const std::string& address, const std::string& agent) {
            return Visitor{.analytics = analytics,
                           .marketing = marketing,
                           .ga_client_id = client_id,
                           .fbp = fbp,
                           .fbc = fbc,
                           .client_address = address,
                           .user_agent = agent};
        });
}

// By the number of the payment: of two that are completed at the same time, the first one counts.
bool Repository::has_earlier_payment(store::Session& session, std::int64_t booking_id, std::int64_t payment_id) {
    return session.number(
               "SELECT COUNT(*) FROM svc_payment_v1 WHERE booking_id = :booking_id AND id < :payment_id"
               " AND status IN ('completed', 'refunded')",
               {{"booking_id", booking_id}, {"payment_id", payment_id}}) > 0;
}

bool Repository::claim_occasion(store::Transaction& tx, const Partner& partner, const std::string& occasion,
                                std::int64_t booking_id, Instant now) {
    return tx.run(
               "INSERT INTO svc_tracking_once (partner, occasion, booking_id, created_at)"
               " VALUES (:partner, :occasion, :booking_id, :now) ON CONFLICT (partner, occasion) DO NOTHING",
               {{"partner", partner.key}, {"occasion", occasion}, {"booking_id", booking_id}, {"now", now}}) > 0;
}

void Repository::note_sent(store::Transaction& tx, const Partner& partner, const std::string& occasion, Instant now) {
    tx.run("UPDATE svc_tracking_once SET sent_at = :now WHERE partner = :partner AND occasion = :occasion",
           {{"partner", partner.key}, {"occasion", occasion}, {"now", now}});
}

bool Repository::was_sent(store::Session& session, const Partner& partner, const std::string& occasion) {
    return session.number(
               "SELECT COUNT(*) FROM svc_tracking_once WHERE partner = :partner AND occasion = :occasion"
               " AND sent_at IS NOT NULL",
               {{"partner", partner.key}, {"occasion", occasion}}) > 0;
}

void Repository::insert(store::Transaction& tx, const Partner& partner, TrackedEvent& event) {
    event_record(partner).insert(tx, event, {.user_id = {}, .now = event.created_at});
}

#define SVC_DUE                                                                                  \
    "r.partner = :partner AND ((r.status IN ('queued', 'failed') AND r.next_attempt_at <= :now)" \
    " OR (r.status = 'sending' AND r.claimed_until <= :now))"

std::optional<TrackedEvent> Repository::claim(store::Transaction& tx, const Partner& partner, Instant now,
                                              Instant until) {
    static const std::string sql = event_record(meta).select("WHERE " SVC_DUE " ORDER BY r.id LIMIT 1");
    auto event = event_record(partner).first(tx, sql, {{"partner", partner.key}, {"now", now}});
    if (!event)
        return std::nullopt;
    const auto claimed = tx.run(
        "UPDATE svc_tracking_events SET status = 'sending', claimed_until = :until WHERE id = :id"
        " AND (status IN ('queued', 'failed') OR (status = 'sending' AND claimed_until <= :now))",
        {{"id", event->id}, {"until", until}, {"now", now}});
    if (claimed == 0)
        return std::nullopt;
    event->status = status::sending;
    event->claimed_until = until;
    return event;
}

bool Repository::has_due(store::Session& session, const Partner& partner, Instant now) {
    return session.number("SELECT COUNT(*) FROM (SELECT r.id FROM svc_tracking_events r WHERE " SVC_DUE " LIMIT 1) d",
                          {{"partner", partner.key}, {"now", now}}) > 0;
}

bool Repository::awaits_purchase(store::Session& session, const Partner& partner, std::int64_t booking_id) {
    return session.number(
               "SELECT COUNT(*) FROM svc_tracking_events WHERE partner = :partner AND booking_id = :booking_id"
               " AND event = 'purchase' AND status IN ('queued', 'sending', 'failed')",
               {{"partner", partner.key}, {"booking_id", booking_id}}) > 0;
}

bool Repository::record(store::Transaction& tx, const TrackedEvent& event) {
    return tx.run(
               "UPDATE svc_tracking_events SET status = :status, reason = :reason, attempts = :attempts,"
               " next_attempt_at = :next, claimed_until = NULL, http_status = :http_status, payload = :payload,"
               " answer = :answer, sent_at = :sent_at WHERE id = :id AND status = 'sending'"
               " AND claimed_until = :claimed_until",
               {{"id", event.id},
                {"status", event.status},
                {"reason", event.reason},
                {"attempts", event.attempts},
                {"next", event.next_attempt_at},
                {"http_status", event.http_status},
                {"payload", event.payload.dump()},
                {"answer", event.answer},
                {"sent_at", event.sent_at},
                {"claimed_until", event.claimed_until}}) > 0;
}

void Repository::hurry(store::Transaction& tx, const Partner& partner, Instant now) {
    tx.run("UPDATE svc_tracking_events SET next_attempt_at = :now WHERE partner = :partner AND status = 'failed'",
           {{"partner", partner.key}, {"now", now}});
}

std::int64_t Repository::clear(store::Transaction& tx, const Partner& partner) {
    return tx.run(
        "DELETE FROM svc_tracking_events WHERE partner = :partner AND status IN ('sent', 'rejected', 'skipped')",
        {{"partner", partner.key}});
}

}  // namespace svc::pro::tracking
