// Takes and releases seats.
#include "base/sales/availability/seats/service.hpp"

#include <algorithm>

#include "base/sales/availability/record/departure_json.hpp"
#include "base/sales/availability/record/departure_rows.hpp"
#include "base/sales/availability/record/hooks.hpp"
#include "base/sales/availability/record/rule_rows.hpp"
#include "base/sales/availability/record/slot_rows.hpp"
#include "base/sales/availability/seats/still_on.hpp"

namespace svc::availability {
namespace {

using catalog::trips::Trip;

Error sold_out(int available) { return Error{errc::sold_out}.with("available", std::to_string(available)); }

// The ledger's reason for the end of a hold, from the booking's status.
std::string_view reason_of(std::string_view reason) {
    for (const std::string_view known :
         {"expired", "moved", "trashed", "waitlist", "hold_lapsed", "failed", "refunded"})
        if (reason == known)
            return known;
    return reason == "trash" ? "trashed" : "cancelled";
}

}  // namespace

Result<Slot> Seats::make_departure(store::Transaction& tx, const Trip& trip, const Bookable& open, Instant now) const {
    Departure fresh;
    fresh.trip_id = trip.id;
    fresh.origin = open.origin;
    fresh.rule_id = open.rule_id;
    if (open.rule_id)
        fresh.guide_user_id = rows::guide_of_rule(tx, *open.rule_id);
    fresh.start_date = open.date;
    fresh.end_date = open.end_date;
    fresh.time = open.time;
    fresh.arrival_time = open.arrival_time;
    fresh.alert_threshold = open.alert_threshold;
    fresh.capacity = open.capacity;
    fresh.currency = trip.currency;
    fresh.created_at = fresh.updated_at = now;
    if (auto departure = rows::insert_unless_there(tx, fresh))
        return std::move(*departure);
    // Another buyer made this departure first; uses it.
    for (Slot& slot : rows::on_date(tx, trip.id, open.date))
        if (slot.time == open.time)
            return std::move(slot);
    return errc::date_unavailable;
}

Result<std::int64_t> Seats::take(store::Transaction& tx, const Trip& trip, Date date, std::optional<ClockTime> time,
                                 std::int64_t booking_id, std::int64_t seats, Instant now) {
    // Notice and cut-off were checked with the price, as far as they apply to the buyer.
    SVC_ASSIGN_OR_RETURN(const auto found, dates_.find_to_take(tx, trip, date, time, static_cast<int>(seats), now));
    return take(tx, trip, found, booking_id, seats, now);
}

Result<std::int64_t> Seats::take(store::Transaction& tx, const Trip& trip, const Bookable& found,
                                 std::int64_t booking_id, std::int64_t seats, Instant now, const Hold& hold) {
    std::int64_t departure_id = 0;
    if (found.departure_id) {
        departure_id = *found.departure_id;
    } else {
        SVC_ASSIGN_OR_RETURN(auto departure, make_departure(tx, trip, found, now));
        departure_id = departure.id;
    }
    SVC_ASSIGN_OR_RETURN(const auto taken, acquire(tx, departure_id, booking_id, seats, now, hold));
    if (!is_still_on(taken, found))
        return errc::date_unavailable;
    return departure_id;
}

Error Seats::refusal(store::Session& session, std::int64_t departure_id) {
    const auto present = rows::slot(session, departure_id);
    return !present || present->is_deleted() || !present->on_sale() ? Error{errc::date_blocked}
                                                                    : sold_out(present->available());
}

Result<Slot> Seats::acquire(store::Transaction& tx, std::int64_t departure_id, std::int64_t booking_id,
                            std::int64_t seats, Instant now, const Hold& hold) {
    auto taken = rows::take_seats(tx, departure_id, seats,
                                  hold.by_staff ? rows::Overbook::as_allowed : rows::Overbook::never, today(now), now);
    if (!taken && hold.forced && rows::allow_overbooking(tx, departure_id, now))
        taken = rows::take_seats(tx, departure_id, seats, rows::Overbook::forced, today(now), now);
    if (!taken)
        return refusal(tx, departure_id);
    give(tx, *taken, booking_id, seats, now, hold.until);
    return Slot(std::move(*taken));
}

void Seats::give(store::Transaction& tx, const TakenSlot& taken, std::int64_t booking_id, std::int64_t seats,
                 Instant now, std::optional<Instant> until) {
    rows::link(tx, booking_id, taken.id, seats, now, until);
    calendar_.follow(tx, taken);
    if (!taken.is_low)
        return;
    const Departure departure = rows::find(tx, taken.id).value();
    parts_.hooks.emit(tx, seats_low, {departure.id, taken.available(), to_json(departure, {}, nullptr)});
}

Result<Slot> Seats::take_again(store::Transaction& tx, std::int64_t booking_id, std::int64_t seats, Instant now,
                               const Hold& hold) {
    const auto departure_id = rows::last_departure(tx, booking_id);
    if (!departure_id)
        return errc::date_unavailable;
    return acquire(tx, *departure_id, booking_id, seats, now, hold);
}

Result<std::int64_t> Seats::move(store::Transaction& tx, std::int64_t booking_id, std::int64_t to_departure_id,
                                 std::int64_t seats, Instant now) {
    const auto from = rows::last_departure(tx, booking_id);
    if (!from)
        return errc::date_unavailable;
    if (*from == to_departure_id) {
        // Its own seats are among those it may have.
        release(tx, booking_id, "moved", now);
        const auto taken = acquire(tx, to_departure_id, booking_id, seats, now, {.by_staff = true});
        return taken ? Result<std::int64_t>(to_departure_id) : taken.error();
    }
    rows::lock(tx, std::min(*from, to_departure_id));
    rows::lock(tx, std::max(*from, to_departure_id));
    // The new ones are taken first, and linked once the old link has ended: a booking has one live link.
    const auto taken = rows::take_seats(tx, to_departure_id, seats, rows::Overbook::as_allowed, today(now), now);
    if (!taken)
        return refusal(tx, to_departure_id);
    release(tx, booking_id, "moved", now);
    give(tx, *taken, booking_id, seats, now, std::nullopt);
    return *from;
}

std::optional<std::int64_t> Seats::release(store::Transaction& tx, std::int64_t booking_id, std::string_view reason,
                                           Instant now) {
    const auto released = rows::unlink(tx, booking_id, reason_of(reason), now);
    if (!released)
        return std::nullopt;
    const auto slot = rows::give_seats(tx, released->departure_id, released->seats, today(now), now);
    calendar_.follow(tx, slot.value());
    return released->departure_id;
}

void Seats::lock_of(store::Transaction& tx, std::int64_t booking_id) {
    if (const auto departure_id = rows::last_departure(tx, booking_id))
        rows::lock(tx, *departure_id);
}

}  // namespace svc::availability
