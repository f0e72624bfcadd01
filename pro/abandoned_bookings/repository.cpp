// The statements that the record does not have.
#include "pro/abandoned_bookings/repository.hpp"

#include "pro/common/tables.hpp"
#include "pro/crypto/hmac.hpp"
#include "shared/store/typed.hpp"

namespace svc::pro::abandoned_bookings {
namespace {

using store::Params;

// A digest, so that the list of people who want no e-mail is no list of addresses.
std::string digest_of(std::string_view email_lower) {
    return crypto::sha256_hex("svc_abandoned_stops:" + std::string(email_lower));
}

}  // namespace

bool Repository::has_tables(store::Session& session) { return has_table(session, "svc_abandoned_campaigns"); }

std::optional<Checkout> Repository::checkout(store::Session& session, std::int64_t id) {
    return store::first_struct<Checkout, std::int64_t, std::optional<std::int64_t>, std::optional<Date>,
                               std::optional<ClockTime>, std::int64_t, std::string, std::string, std::string,
                               std::string, std::string, std::optional<std::int64_t>, Instant>(
        session,
        "SELECT id, trip_id, travel_date, departure_time, travelers, traveler_counts, services, coupon_code, country,"
        " status, booking_id, expires_at FROM svc_checkout_v1 WHERE id = :id",
        {{"id", id}});
}

std::optional<Trip> Repository::trip(store::Session& session, std::int64_t id) {
    return store::first_struct<Trip, std::string, std::string, std::string>(
        session, "SELECT title, slug, status FROM svc_trip_v2 WHERE id = :id AND deleted_at IS NULL", {{"id", id}});
}

std::optional<AbandonedBooking> Repository::find(store::Session& session, std::int64_t id) {
    static const std::string sql = abandoned_record().select("WHERE r.id = :id");
    return abandoned_record().first(session, sql, {{"id", id}});
}

std::optional<AbandonedBooking> Repository::of_checkout(store::Session& session, std::int64_t checkout_id) {
    static const std::string sql = abandoned_record().select("WHERE r.checkout_id = :checkout_id");
    return abandoned_record().first(session, sql, {{"checkout_id", checkout_id}});
}

std::optional<AbandonedBooking> Repository::of_person(store::Session& session, std::string_view email_lower,
                                                      std::int64_t trip_id) {
    static const std::string sql = abandoned_record().select(
        "WHERE r.email_lower = :email_lower AND r.trip_id = :trip_id AND r.status IN ('abandoned', 'contacted')"
        " ORDER BY r.last_activity_at DESC, r.id DESC LIMIT 1");
    return abandoned_record().first(session, sql, {{"email_lower", email_lower}, {"trip_id", trip_id}});
}

void Repository::remove(store::Transaction& tx, std::int64_t id) {
    tx.run("DELETE FROM svc_abandoned_bookings WHERE id = :id", {{"id", id}});
}

void Repository::add_event(store::Transaction& tx, std::int64_t id, std::string_view kind, std::string_view detail,
                           Instant now) {
    tx.run(
        "INSERT INTO svc_abandoned_booking_events (abandoned_id, kind, detail, happened_at)"
        " VALUES (:id, :kind, :detail, :now)",
        {{"id", id}, {"kind", kind}, {"detail", detail}, {"now", now}});
}

std::vector<Event> Repository::events(store::Session& session, std::int64_t id) {
    return store::structs<Event, std::string, std::string, Instant>(
        session,
        "SELECT kind, detail, happened_at FROM svc_abandoned_booking_events WHERE abandoned_id = :id"
        " ORDER BY happened_at, id LIMIT 200",
        {{"id", id}});
}

void Repository::decline(store::Transaction& tx, std::int64_t checkout_id, Instant now) {
    tx.run("DELETE FROM svc_abandoned_bookings WHERE checkout_id = :id", {{"id", checkout_id}});
    tx.run(
        "INSERT INTO svc_abandoned_declines (checkout_id, created_at) VALUES (:id, :now)"
        " ON CONFLICT (checkout_id) DO NOTHING",
        {{"id", checkout_id}, {"now", now}});
}

bool Repository::has_declined(store::Session& session, std::int64_t checkout_id) {
    return session.number("SELECT COUNT(*) FROM svc_abandoned_declines WHERE checkout_id = :id",
                          {{"id", checkout_id}}) > 0;
}

void Repository::stop(store::Transaction& tx, std::string_view email_lower, Instant now) {
    tx.run(
        "INSERT INTO svc_abandoned_stops (email_digest, created_at) VALUES (:digest, :now)"
        " ON CONFLICT (email_digest) DO NOTHING",
        {{"digest", digest_of(email_lower)}, {"now", now}});
}

bool Repository::has_stopped(store::Session& session, std::string_view email_lower) {
    return session.number("SELECT COUNT(*) FROM svc_abandoned_stops WHERE email_digest = :digest",
                          {{"digest", digest_of(email_lower)}}) > 0;
}

std::int64_t Repository::forget_stop(store::Transaction& tx, std::string_view email_lower) {
    return tx.run("DELETE FROM svc_abandoned_stops WHERE email_digest = :digest", {{"digest", digest_of(email_lower)}});
}

bool Repository::has_booked(store::Session& session, std::string_view email_lower) {
    const Params params{{"email", email_lower}};
    return session.number(
               "SELECT COUNT(*) FROM svc_booking_v1 WHERE user_id IS NULL AND LOWER(contact_email) = :email"
               " AND status IN ('confirmed', 'completed')",
               params) > 0 ||
           session.number(
               "SELECT COUNT(*) FROM svc_customer_v1 c JOIN svc_booking_v1 b ON b.user_id = c.user_id"
               " WHERE LOWER(c.email) = :email AND b.status IN ('confirmed', 'completed')",
               params) > 0;
}

std::vector<std::int64_t> Repository::bookings_since(store::Session& session, std::string_view email_lower,
                                                     Instant since) {
    return store::values<std::int64_t>(session,
                                       "SELECT id FROM svc_booking_v1 WHERE created_at >= :since"
                                       " AND LOWER(contact_email) = :email ORDER BY id DESC LIMIT 20",
                                       {{"since", since}, {"email", email_lower}});
}

bool Repository::was_reminded(store::Session& session, const AbandonedBooking& row, Instant since) {
    return session.number(
               "SELECT COUNT(*) FROM svc_abandoned_bookings WHERE email_lower = :email AND id <> :id"
               " AND last_email_at > :since",
               {{"email", row.email_lower}, {"id", row.id}, {"since", since}}) > 0;
}

std::vector<std::int64_t> Repository::idle(store::Session& session, Instant before, std::int64_t most) {
    return store::values<std::int64_t>(session,
                                       "SELECT id FROM svc_abandoned_bookings WHERE abandoned_at IS NULL"
                                       " AND last_activity_at <= :before ORDER BY last_activity_at, id LIMIT :most",
                                       {{"before", before}, {"most", most}});
}

std::vector<std::int64_t> Repository::due(store::Session& session, Instant now, std::int64_t most) {
    return store::values<std::int64_t>(session,
                                       "SELECT id FROM svc_abandoned_bookings WHERE next_email_at <= :now"
                                       " ORDER BY next_email_at, id LIMIT :most",
                                       {{"now", now}, {"most", most}});
}

void Repository::abandon(store::Transaction& tx, const AbandonedBooking& row, std::optional<Instant> next_at,
                         Instant now) {
    if (tx.run("UPDATE svc_abandoned_bookings SET abandoned_at = last_activity_at, next_email_at = :next_at,"
               " updated_at = :now WHERE id = :id AND abandoned_at IS NULL",
               {{"next_at", next_at}, {"now", now}, {"id", row.id}}) > 0)
        add_event(tx, row.id, "abandoned", row.step, row.last_activity_at);
}

void Repository::postpone(store::Transaction& tx, std::int64_t id, std::optional<Instant> next_at) {
    tx.run("UPDATE svc_abandoned_bookings SET next_email_at = :next_at WHERE id = :id",
           {{"next_at", next_at}, {"id", id}});
}

bool Repository::count_sent(store::Transaction& tx, const AbandonedBooking& row, std::int64_t next_stage,
                            std::optional<Instant> next_at, Instant now) {
    return tx.run(
               "UPDATE svc_abandoned_bookings SET status = 'contacted', emails_sent = emails_sent + 1,"
               " last_email_at = :now, stage = :next_stage, next_email_at = :next_at, updated_at = :now,"
               " end_reason = CASE WHEN emails_sent + 1 >= 3 THEN 'all_sent' ELSE end_reason END"
               " WHERE id = :id AND stage = :stage AND emails_sent = :sent AND emails_sent < 3 AND unsubscribed = 0"
               " AND status IN ('abandoned', 'contacted')",
               {{"next_stage", next_stage},
                {"next_at", next_at},
                {"now", now},
                {"id", row.id},
                {"stage", row.stage},
                {"sent", row.emails_sent}}) > 0;
}

void Repository::skip(store::Transaction& tx, const AbandonedBooking& row, std::int64_t next_stage,
                      std::optional<Instant> next_at) {
    tx.run(
        "UPDATE svc_abandoned_bookings SET stage = :next_stage, next_email_at = :next_at"
        " WHERE id = :id AND stage = :stage",
        {{"next_stage", next_stage}, {"next_at", next_at}, {"id", row.id}, {"stage", row.stage}});
}

void Repository::end(store::Transaction& tx, std::int64_t id, std::string_view reason, Instant now) {
    if (tx.run("UPDATE svc_abandoned_bookings SET next_email_at = NULL, stage = 4, end_reason = :reason,"
               " updated_at = :now WHERE id = :id AND status IN ('abandoned', 'contacted')",
               {{"reason", reason}, {"now", now}, {"id", id}}) > 0)
        add_event(tx, id, "ended", reason, now);
}

void Repository::unsubscribe(store::Transaction& tx, std::string_view email_lower, Instant now) {
    stop(tx, email_lower, now);
    for (const std::int64_t id : store::values<std::int64_t>(
             tx, "SELECT id FROM svc_abandoned_bookings WHERE email_lower = :email AND unsubscribed = 0",
             {{"email", email_lower}})) {
        tx.run("UPDATE svc_abandoned_bookings SET unsubscribed = 1 WHERE id = :id", {{"id", id}});
        end(tx, id, why::unsubscribed, now);
    }
    // What is not abandoned yet is no longer kept.
    tx.run("DELETE FROM svc_abandoned_bookings WHERE email_lower = :email AND abandoned_at IS NULL",
           {{"email", email_lower}});
}

bool Repository::use_link(store::Transaction& tx, std::int64_t id, Instant now) {
    const bool is_first = tx.run(
                              "UPDATE svc_abandoned_bookings SET link_used_at = :now, updated_at = :now"
                              " WHERE id = :id AND link_used_at IS NULL",
                              {{"now", now}, {"id", id}}) > 0;
    if (is_first)
        add_event(tx, id, "link_used", "", now);
    return is_first;
}

bool Repository::recover(store::Transaction& tx, const AbandonedBooking& row, std::int64_t booking_id,
                         std::string_view by, Instant now) {
    if (tx.run(
            "UPDATE svc_abandoned_bookings SET status = 'recovered', end_reason = 'booked', next_email_at = NULL,"
            " stage = 4, recovered_booking_id = :booking_id, recovered_by = :by, recovered_at = :now, updated_at = :now"
            " WHERE id = :id AND status IN ('abandoned', 'contacted')",
            {{"booking_id", booking_id}, {"by", by}, {"now", now}, {"id", row.id}}) == 0)
        return false;
    add_event(tx, row.id, "recovered", by, now);
    return true;
}

std::int64_t Repository::expire(store::Transaction& tx, Instant now, std::int64_t most) {
    return tx.run(
        "UPDATE svc_abandoned_bookings SET email = '', email_lower = '', customer_name = '', customer_phone = NULL,"
        " search = '', fault = '', checkout_id = NULL, uid = 'ended.' || id, next_email_at = NULL, stage = 4,"
        " status = CASE WHEN status = 'recovered' THEN status ELSE 'expired' END,"
        " abandoned_at = COALESCE(abandoned_at, last_activity_at), blanked_at = :now, updated_at = :now"
        " WHERE id IN (SELECT id FROM svc_abandoned_bookings WHERE blanked_at IS NULL AND expires_at <= :now"
        " ORDER BY expires_at LIMIT :most)",
        {{"now", now}, {"most", most}});
}

}  // namespace svc::pro::abandoned_bookings
