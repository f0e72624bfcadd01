// Statements that move seats: each one conditional, so that no order of events sells a seat twice.
#include "base/availability/columns.hpp"
#include "base/availability/repository.hpp"

namespace svc::availability::rows {

std::optional<Slot> take_seats(store::Transaction& tx, std::int64_t id, std::int64_t seats, Date today, Instant now) {
    return tx.first<Slot>(
        "UPDATE svc_departures SET booked_count = booked_count + :seats,"
        " status = " SVC_STATUS_FOR("booked_count + :seats") ", revision = revision + 1, updated_at = :now"
        " WHERE id = :id AND sale_state = 'open' AND status NOT IN ('cancelled', 'trash')"
        " AND booked_count + :seats <= capacity RETURNING " SVC_SLOT_COLUMNS,
        slot_types, {{"seats", seats}, {"today", today}, {"now", now}, {"id", id}}, slot_of);
}

std::optional<Slot> give_seats(store::Transaction& tx, std::int64_t id, std::int64_t seats, Date today, Instant now) {
    return tx.first<Slot>(
        "UPDATE svc_departures SET booked_count = booked_count - :seats,"
        " status = CASE WHEN status IN ('cancelled', 'trash') THEN status"
        " ELSE " SVC_STATUS_FOR("booked_count - :seats") " END, revision = revision + 1, updated_at = :now"
        " WHERE id = :id RETURNING " SVC_SLOT_COLUMNS,
        slot_types, {{"seats", seats}, {"today", today}, {"now", now}, {"id", id}}, slot_of);
}

void link(store::Transaction& tx, std::int64_t booking_id, std::int64_t departure_id, std::int64_t seats, Instant now) {
    tx.run(
        "INSERT INTO svc_booking_departures (booking_id, departure_id, seats, hold_kind, linked_at)"
        " VALUES (:booking_id, :departure_id, :seats, 'firm', :now)",
        {{"booking_id", booking_id}, {"departure_id", departure_id}, {"seats", seats}, {"now", now}});
}

std::optional<Released> unlink(store::Transaction& tx, std::int64_t booking_id, std::string_view reason, Instant now) {
    return tx.first<Released>(
        "UPDATE svc_booking_departures SET released_at = :now, release_reason = :reason"
        " WHERE booking_id = :booking_id AND released_at IS NULL RETURNING departure_id, seats",
        "ii", {{"now", now}, {"reason", reason}, {"booking_id", booking_id}}, [](const store::Row& row) {
            return Released{row.integer(0), row.integer(1)};
        });
}

std::optional<std::int64_t> last_departure(store::Session& session, std::int64_t booking_id) {
    return session.first<std::int64_t>(
        "SELECT departure_id FROM svc_booking_departures WHERE booking_id = :booking_id ORDER BY id DESC LIMIT 1", "i",
        {{"booking_id", booking_id}}, [](const store::Row& row) { return row.integer(0); });
}

void lock(store::Transaction& tx, std::int64_t departure_id) {
    if (tx.dialect() == store::Dialect::postgresql)
        tx.number("SELECT id FROM svc_departures WHERE id = :id FOR UPDATE", {{"id", departure_id}});
}

std::vector<Link> links(store::Session& session, std::int64_t least, std::int64_t most) {
    return session.all<Link>(
        "SELECT departure_id, booking_id FROM svc_booking_departures"
        " WHERE released_at IS NULL AND departure_id BETWEEN :least AND :most ORDER BY departure_id, booking_id",
        "ii", {{"least", least}, {"most", most}}, [](const store::Row& row) {
            return Link{row.integer(0), row.integer(1)};
        });
}

Refreshed refresh_statuses(store::Transaction& tx, Date today, Instant now) {
    Refreshed done;
    done.past = tx.run(
        "UPDATE svc_departures SET status = 'past', revision = revision + 1, updated_at = :now"
        " WHERE status IN ('upcoming', 'full') AND end_date < :today",
        {{"today", today}, {"now", now}});
    done.full = tx.run(
        "UPDATE svc_departures SET status = 'full', revision = revision + 1, updated_at = :now"
        " WHERE status = 'upcoming' AND end_date >= :today AND booked_count >= capacity",
        {{"today", today}, {"now", now}});
    done.upcoming = tx.run(
        "UPDATE svc_departures SET status = 'upcoming', revision = revision + 1, updated_at = :now"
        " WHERE status = 'full' AND end_date >= :today AND booked_count < capacity",
        {{"today", today}, {"now", now}});
    return done;
}

std::vector<Mismatch> mismatches(store::Session& session) {
    return session.all<Mismatch>(
        "SELECT d.id, d.booked_count, CAST(COALESCE(SUM(l.seats), 0) AS BIGINT) FROM svc_departures d"
        " LEFT JOIN svc_booking_departures l ON l.departure_id = d.id AND l.released_at IS NULL"
        " GROUP BY d.id, d.booked_count HAVING d.booked_count <> COALESCE(SUM(l.seats), 0)",
        "iii", {}, [](const store::Row& row) {
            return Mismatch{row.integer(0), row.integer(1), row.integer(2)};
        });
}

}  // namespace svc::availability::rows
