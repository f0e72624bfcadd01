// Statements that move seats: each one conditional, so that no order of events sells a seat twice.
#include "base/sales/availability/seats/repository.hpp"

#include "base/sales/availability/record/slot_rows.hpp"
#include "shared/store/later.hpp"
#include "shared/store/read_rows.hpp"

namespace svc::availability::rows {

std::optional<TakenSlot> take_seats(store::Transaction& tx, std::int64_t id, std::int64_t seats, Overbook overbook,
                                    Date today, Instant now) {
    static const auto statement = taken_slot_record().returning(
        "UPDATE svc_departures SET booked_count = booked_count + :seats,"
        " status = " SVC_STATUS_FOR("booked_count + :seats") ","
        " alert_state = CASE WHEN capacity - booked_count - :seats > alert_threshold THEN 0"
        " WHEN alert_state = 0 THEN 1 ELSE 2 END, revision = revision + 1, updated_at = :now"
        " WHERE id = :id AND sale_state = 'open' AND status NOT IN ('cancelled', 'trash')"
        " AND (booked_count + :seats <= capacity OR (capacity_override = 1 AND :overbook > overbooked_by_force))");
    return taken_slot_record().first(tx, statement,
                                     {{"seats", seats},
                                      {"overbook", static_cast<std::int64_t>(overbook)},
                                      {"today", today},
                                      {"now", now},
                                      {"id", id}});
}

bool allow_overbooking(store::Transaction& tx, std::int64_t id, Instant now) {
    return tx.run(
               "UPDATE svc_departures SET"
               " overbooked_by_force = CASE WHEN capacity_override = 1 THEN overbooked_by_force ELSE 1 END,"
               " capacity_override = 1, revision = revision + 1, updated_at = :now"
               " WHERE id = :id AND sale_state = 'open' AND status NOT IN ('cancelled', 'trash')",
               {{"now", now}, {"id", id}}) == 1;
}

std::optional<Slot> give_seats(store::Transaction& tx, std::int64_t id, std::int64_t seats, Date today, Instant now) {
    static const auto statement = slot_record().returning(
        "UPDATE svc_departures SET booked_count = booked_count - :seats,"
        " capacity_override = CASE WHEN overbooked_by_force = 1 AND booked_count - :seats <= capacity THEN 0"
        " ELSE capacity_override END,"
        " overbooked_by_force = CASE WHEN booked_count - :seats <= capacity THEN 0 ELSE overbooked_by_force END,"
        " status = CASE WHEN status IN ('cancelled', 'trash') THEN status"
        " ELSE " SVC_STATUS_FOR("booked_count - :seats") " END,"
        " alert_state = CASE WHEN capacity - booked_count + :seats > alert_threshold THEN 0 ELSE alert_state END,"
        " revision = revision + 1, updated_at = :now WHERE id = :id");
    return slot_record().first(tx, statement, {{"seats", seats}, {"today", today}, {"now", now}, {"id", id}});
}

void link(store::Transaction& tx, std::int64_t booking_id, std::int64_t departure_id, std::int64_t seats, Instant now,
          std::optional<Instant> hold_until) {
    store::run_later(
        tx,
        "INSERT INTO svc_booking_departures (booking_id, departure_id, seats, hold_kind, hold_expires_at, linked_at)"
        " VALUES (:booking_id, :departure_id, :seats, :hold_kind, :hold_until, :now)",
        {{"booking_id", booking_id},
         {"departure_id", departure_id},
         {"seats", seats},
         {"hold_kind", hold_until ? "soft" : "firm"},
         {"hold_until", hold_until},
         {"now", now}});
}

void make_firm(store::Transaction& tx, std::int64_t booking_id) {
    tx.run(
        "UPDATE svc_booking_departures SET hold_kind = 'firm', hold_expires_at = NULL"
        " WHERE booking_id = :booking_id AND released_at IS NULL AND hold_kind = 'soft'",
        {{"booking_id", booking_id}});
}

std::optional<Instant> holds_until(store::Session& session, std::int64_t booking_id) {
    const std::int64_t micros = session.number(
        "SELECT MIN(e.at) FROM (SELECT hold_expires_at AS at FROM svc_booking_departures WHERE booking_id = :id"
        " AND released_at IS NULL AND hold_kind = 'soft' UNION ALL SELECT offer_expires_at FROM svc_waitlist"
        " WHERE booking_id = :booking_id AND offer_expires_at IS NOT NULL) e",
        {{"id", booking_id}, {"booking_id", booking_id}});
    return micros > 0 ? std::optional(Instant::from_micros(micros)) : std::nullopt;
}

std::vector<std::int64_t> lapsed(store::Session& session, Instant now, std::int64_t most) {
    return store::numbers(
        session,
        "SELECT booking_id FROM svc_booking_departures WHERE released_at IS NULL"
        " AND hold_kind = 'soft' AND hold_expires_at <= :now ORDER BY hold_expires_at, id LIMIT :most",
        {{"now", now}, {"most", most}});
}

bool has_lapsed(store::Session& session, std::int64_t booking_id, Instant now) {
    return session.number(
               "SELECT COUNT(*) FROM svc_booking_departures WHERE booking_id = :id AND released_at IS NULL"
               " AND hold_kind = 'soft' AND hold_expires_at <= :now",
               {{"id", booking_id}, {"now", now}}) > 0;
}

std::optional<Released> unlink(store::Transaction& tx, std::int64_t booking_id, std::string_view reason, Instant now) {
    return store::first_row(tx,
                            "UPDATE svc_booking_departures SET released_at = :now, release_reason = :reason"
                            " WHERE booking_id = :booking_id AND released_at IS NULL RETURNING departure_id, seats",
                            {{"now", now}, {"reason", reason}, {"booking_id", booking_id}},
                            [](std::int64_t departure_id, std::int64_t seats) {
                                return Released{departure_id, seats};
                            });
}

std::optional<std::int64_t> last_departure(store::Session& session, std::int64_t booking_id) {
    for (const char* sql :
         {"SELECT departure_id FROM svc_waitlist WHERE booking_id = :booking_id AND ended_at IS NULL",
          "SELECT departure_id FROM svc_booking_departures WHERE booking_id = :booking_id ORDER BY id DESC LIMIT 1",
          "SELECT departure_id FROM svc_waitlist WHERE booking_id = :booking_id ORDER BY id DESC LIMIT 1"})
        if (const std::int64_t id = session.number(sql, {{"booking_id", booking_id}}); id > 0)
            return id;
    return std::nullopt;
}

void forget(store::Transaction& tx, std::int64_t booking_id) {
    tx.run("DELETE FROM svc_waitlist WHERE booking_id = :booking_id", {{"booking_id", booking_id}});
    tx.run("DELETE FROM svc_booking_departures WHERE booking_id = :booking_id AND released_at IS NOT NULL",
           {{"booking_id", booking_id}});
}

}  // namespace svc::availability::rows
