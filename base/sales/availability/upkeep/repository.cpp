// Statements that compare departures with the day and the ledger.
#include "base/sales/availability/upkeep/repository.hpp"

#include "base/sales/availability/record/slot_rows.hpp"
#include "shared/store/read_rows.hpp"

namespace svc::availability::rows {

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

std::vector<Mismatch> mismatches(store::Session& session, std::int64_t most) {
    return store::all_rows(
        session,
        "SELECT d.id, d.booked_count, CAST(COALESCE(SUM(l.seats), 0) AS BIGINT) FROM svc_departures d"
        " LEFT JOIN svc_booking_departures l ON l.departure_id = d.id AND l.released_at IS NULL"
        " GROUP BY d.id, d.booked_count HAVING d.booked_count <> COALESCE(SUM(l.seats), 0)"
        " ORDER BY d.id LIMIT :most",
        {{"most", most}}, [](std::int64_t id, std::int64_t booked, std::int64_t ledger) {
            return Mismatch{id, booked, ledger};
        });
}

std::optional<Slot> repair(store::Transaction& tx, std::int64_t departure_id, Date today, Instant now) {
    lock(tx, departure_id);
    const auto ledger = tx.number(
        "SELECT CAST(COALESCE(SUM(seats), 0) AS BIGINT) FROM svc_booking_departures"
        " WHERE departure_id = :id AND released_at IS NULL",
        {{"id", departure_id}});
    static const auto statement = slot_record().returning(
        "UPDATE svc_departures SET booked_count = :ledger,"
        " status = CASE WHEN status IN ('cancelled', 'trash') THEN status ELSE " SVC_STATUS_FOR(":ledger") " END,"
        " revision = revision + 1, updated_at = :now"
        " WHERE id = :id AND booked_count <> :ledger AND (:ledger <= capacity OR capacity_override = 1)");
    return slot_record().first(tx, statement,
                               {{"ledger", ledger}, {"today", today}, {"now", now}, {"id", departure_id}});
}

}  // namespace svc::availability::rows
