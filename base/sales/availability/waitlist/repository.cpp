// Statements on svc_waitlist.
#include "base/sales/availability/waitlist/repository.hpp"

#include "base/sales/availability/record/departure_record.hpp"
#include "shared/store/read_rows.hpp"

namespace svc::availability::rows {
namespace {

std::optional<Slot> count_waiting(store::Transaction& tx, std::int64_t departure_id, Instant now) {
    static const auto statement = slot_record().returning(
        "UPDATE svc_departures SET waiting_seats = (SELECT COALESCE(SUM(w.seats), 0) FROM svc_waitlist w"
        " WHERE w.departure_id = svc_departures.id AND w.ended_at IS NULL), revision = revision + 1, updated_at = :now"
        " WHERE id = :id");
    return slot_record().first(tx, statement, {{"now", now}, {"id", departure_id}});
}

}  // namespace

std::optional<Slot> join(store::Transaction& tx, std::int64_t booking_id, std::int64_t departure_id, std::int64_t seats,
                         Instant now) {
    tx.run(
        "INSERT INTO svc_waitlist (booking_id, departure_id, seats, joined_at)"
        " SELECT CAST(:booking_id AS BIGINT), CAST(:departure_id AS BIGINT), CAST(:seats AS BIGINT),"
        " COALESCE((SELECT MIN(w.joined_at) FROM svc_waitlist w WHERE w.booking_id = :booking_id"
        " AND w.departure_id = :departure_id AND w.outcome = 'left'), :now)",
        {{"booking_id", booking_id}, {"departure_id", departure_id}, {"seats", seats}, {"now", now}});
    return count_waiting(tx, departure_id, now);
}

std::optional<Slot> leave(store::Transaction& tx, std::int64_t booking_id, std::string_view outcome,
                          std::optional<Instant> offer_expires_at, Instant now) {
    const auto left = tx.number(
        "UPDATE svc_waitlist SET ended_at = :now, outcome = :outcome, offer_expires_at = :offer_expires_at"
        " WHERE booking_id = :booking_id AND ended_at IS NULL RETURNING departure_id",
        {{"now", now}, {"outcome", outcome}, {"offer_expires_at", offer_expires_at}, {"booking_id", booking_id}});
    return left > 0 ? count_waiting(tx, left, now) : std::nullopt;
}

std::optional<Waiting> head(store::Session& session, std::int64_t departure_id) {
    return store::first_row(session,
                            "SELECT booking_id, seats FROM svc_waitlist WHERE departure_id = :id AND ended_at IS NULL"
                            " ORDER BY joined_at, id LIMIT 1",
                            {{"id", departure_id}}, [](std::int64_t booking_id, std::int64_t seats) {
                                return Waiting{booking_id, seats};
                            });
}

std::int64_t waiting_seats(store::Session& session, std::int64_t departure_id) {
    return session.number(
        "SELECT CAST(COALESCE(SUM(seats), 0) AS BIGINT) FROM svc_waitlist"
        " WHERE departure_id = :id AND ended_at IS NULL",
        {{"id", departure_id}});
}

std::vector<std::int64_t> waiting_bookings(store::Session& session, std::int64_t departure_id) {
    return store::numbers(
        session,
        "SELECT booking_id FROM svc_waitlist WHERE departure_id = :id AND ended_at IS NULL ORDER BY joined_at, id",
        {{"id", departure_id}});
}

std::vector<std::int64_t> servable(store::Session& session, Date today, std::int64_t most) {
    return store::numbers(
        session,
        "SELECT id FROM svc_departures WHERE waiting_seats > 0 AND booked_count < capacity AND sale_state = 'open'"
        " AND status NOT IN ('cancelled', 'trash') AND start_date >= :today ORDER BY id LIMIT :most",
        {{"today", today}, {"most", most}});
}

std::vector<std::int64_t> ended_offers(store::Session& session, Instant now, std::int64_t most) {
    return store::numbers(
        session,
        "SELECT booking_id FROM svc_waitlist WHERE offer_expires_at <= :now ORDER BY offer_expires_at, id LIMIT :most",
        {{"now", now}, {"most", most}});
}

bool was_promoted(store::Session& session, std::int64_t booking_id) {
    return session.number(
               "SELECT COUNT(*) FROM svc_waitlist WHERE booking_id = :booking_id AND outcome = 'promoted'"
               " AND id = (SELECT MAX(w.id) FROM svc_waitlist w WHERE w.booking_id = :booking_id)",
               {{"booking_id", booking_id}}) > 0;
}

void end_offer(store::Transaction& tx, std::int64_t booking_id) {
    tx.run(
        "UPDATE svc_waitlist SET offer_expires_at = NULL WHERE booking_id = :booking_id"
        " AND offer_expires_at IS NOT NULL",
        {{"booking_id", booking_id}});
}

}  // namespace svc::availability::rows
