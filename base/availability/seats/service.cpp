// Seats: found, taken and given back, always by the database's word.
#include "base/availability/service.hpp"

#include <algorithm>

#include "base/availability/departures/wire.hpp"
#include "base/availability/hooks.hpp"
#include "base/availability/record/rule_rows.hpp"
#include "base/availability/seats/still_on.hpp"
#include "base/platform/store/changes.hpp"

namespace svc::availability {
namespace {

using catalog::trips::Trip;

Error sold_out(int available) { return Error{errc::sold_out}.with("available", std::to_string(available)); }

// What the ledger calls the end of a hold, told by the booking's status.
std::string_view reason_of(std::string_view reason) {
    for (const std::string_view known :
         {"expired", "moved", "trashed", "waitlist", "hold_lapsed", "failed", "refunded"})
        if (reason == known)
            return known;
    return reason == "trash" ? "trashed" : "cancelled";
}

struct Known {
    std::vector<Slot> slots;
    bool planned = true;
    std::vector<Rule> rules;
    [[nodiscard]] TripSlots trip_slots() const { return {slots, planned, rules}; }
};
// What the database says that matters to the wish; most of all the date's departures. `priced`: the price too.
Known known_on(store::Session& session, const Trip& trip, Date date, std::optional<ClockTime> time, int seats,
               bool priced) {
    Known known{rows::on_date(session, trip.id, date), true, {}};
    const bool settled = settled_by_departures(known.slots, date, time, seats);
    const bool by_rule =
        std::any_of(known.slots.begin(), known.slots.end(), [](const Slot& each) { return each.rule_id.has_value(); });
    if (!settled || (priced && by_rule))
        known.rules = rows::rules_of_trip(session, trip.id);
    if (!settled && known.rules.empty())
        known.planned = rows::is_planned(session, trip.id);
    const auto says_so = [](const auto& each) { return each.traveler_based.value_or(false); };
    if (priced && (trip.traveler_based || std::any_of(known.slots.begin(), known.slots.end(), says_so) ||
                   std::any_of(known.rules.begin(), known.rules.end(), says_so)))
        rows::read_category_prices(session, known.slots);
    return known;
}

}  // namespace

Result<Bookable> Service::find_bookable(store::Session& session, const Trip& trip, Date date,
                                        std::optional<ClockTime> time, int seats, bool by_staff, Instant now) const {
    const Moment here{now, parts_.settings.zone()};
    // A list may be asked for further dates; what visitors buy ends here whatever they were shown.
    if (!by_staff && date > here.today().plus_months(horizon()))
        return errc::date_unavailable;
    const Known known = known_on(session, trip, date, time, seats, true);
    return sellable(availability::resolve(trip, known.trip_slots(), date, time, seats, here, by_staff), trip, seats,
                    by_staff, now);
}

Result<Bookable> Service::find_shown(const Trip& trip, Date date, std::optional<ClockTime> time, int seats,
                                     Instant now) const {
    const Moment here{now, parts_.settings.zone()};
    if (date > here.today().plus_months(horizon()))
        return errc::date_unavailable;
    const Dates known = calendar_.of(trip.id);
    return sellable(availability::resolve(trip, known->known(), date, time, seats, here), trip, seats, false, now);
}

Result<void> Service::check_time(store::Session* session, const Trip& trip, Date date, bool by_staff,
                                 Instant now) const {
    const Moment here{now, parts_.settings.zone()};
    std::vector<ClockTime> times;
    if (session) {
        Known known{rows::on_date(*session, trip.id, date), true, rows::rules_of_trip(*session, trip.id)};
        if (known.slots.empty() && known.rules.empty())
            known.planned = rows::is_planned(*session, trip.id);
        times = times_on(trip, known.trip_slots(), date, here, by_staff);
    } else {
        const Dates known = calendar_.of(trip.id);
        times = times_on(trip, known->known(), date, here, by_staff);
    }
    if (times.size() < 2)
        return {};
    std::string list;
    for (const ClockTime time : times)
        list += (list.empty() ? "" : ", ") + time.text();
    return invalid("departure_time", "This day has several departure times; choose one of them: " + list + ".");
}

Result<Bookable> Service::sellable(Result<Bookable> found, const Trip& trip, int seats, bool by_staff,
                                   Instant now) const {
    if (!found)
        return found;
    if (!by_staff && now >= found->cutoff_at)
        return errc::cutoff_passed;
    const int before = found->available();
    if (!allowed(trip, *found))
        return errc::date_unavailable;
    if (const int left = found->available(); !by_staff && left < before && left < seats)
        return sold_out(left);
    return found;
}

Result<Slot> Service::materialised(store::Transaction& tx, const Trip& trip, const Bookable& open, Instant now) const {
    Departure fresh;
    fresh.trip_id = trip.id;
    fresh.origin = open.origin;
    fresh.rule_id = open.rule_id;
    fresh.start_date = open.date;
    fresh.end_date = open.end_date;
    fresh.time = open.time;
    fresh.arrival_time = open.arrival_time;
    fresh.alert_threshold = open.alert_threshold;
    fresh.capacity = open.capacity;
    fresh.currency = trip.currency;
    fresh.created_at = fresh.updated_at = now;
    if (auto made = rows::insert_unless_there(tx, fresh))
        return std::move(*made);
    // Another buyer was first; theirs is the departure.
    for (Slot& slot : rows::on_date(tx, trip.id, open.date))
        if (slot.time == open.time)
            return std::move(slot);
    return errc::date_unavailable;
}

Result<std::int64_t> Service::take(store::Transaction& tx, const Trip& trip, Date date, std::optional<ClockTime> time,
                                   std::int64_t booking_id, std::int64_t seats, Instant now) {
    // Notice and cut-off were looked at when the price was made, as far as they count for the buyer.
    const int wanted = static_cast<int>(seats);
    const Known known = known_on(tx, trip, date, time, wanted, false);
    auto found =
        availability::resolve(trip, known.trip_slots(), date, time, wanted, {now, parts_.settings.zone()}, true);
    if (!found)
        return found.error();
    return take(tx, trip, *found, booking_id, seats, now);
}

Result<std::int64_t> Service::take(store::Transaction& tx, const Trip& trip, const Bookable& found,
                                   std::int64_t booking_id, std::int64_t seats, Instant now, const Hold& hold) {
    std::int64_t departure_id = 0;
    if (found.departure_id) {
        departure_id = *found.departure_id;
    } else {
        auto made = materialised(tx, trip, found, now);
        if (!made)
            return made.error();
        departure_id = made->id;
    }
    const auto taken = acquire(tx, departure_id, booking_id, seats, now, hold);
    if (!taken)
        return taken.error();
    if (!is_still_on(*taken, found))
        return errc::date_unavailable;
    return departure_id;
}

Result<Slot> Service::acquire(store::Transaction& tx, std::int64_t departure_id, std::int64_t booking_id,
                              std::int64_t seats, Instant now, const Hold& hold) {
    const Date today = parts_.settings.zone().date_at(now);
    auto taken = rows::take_seats(tx, departure_id, seats,
                                  hold.by_staff ? rows::Overbook::as_allowed : rows::Overbook::never, today, now);
    if (!taken && hold.forced && rows::allow_overbooking(tx, departure_id, now))
        taken = rows::take_seats(tx, departure_id, seats, rows::Overbook::forced, today, now);
    if (!taken) {
        const auto present = rows::slot(tx, departure_id);
        if (!present || present->deleted || !present->on_sale())
            return errc::date_blocked;
        return sold_out(present->available());
    }
    rows::link(tx, booking_id, departure_id, seats, now, hold.until);
    remember(tx, taken->slot);
    if (taken->is_low)
        tell_low(tx, taken->slot);
    return std::move(taken->slot);
}

void Service::tell_low(store::Transaction& tx, const Slot& slot) {
    const Departure departure = rows::find(tx, slot.id).value();
    parts_.hooks.emit(tx, seats_low, {slot.id, slot.available(), to_json(departure, {}, nullptr)});
}

Result<Slot> Service::take_again(store::Transaction& tx, std::int64_t booking_id, std::int64_t seats, Instant now,
                                 const Hold& hold) {
    const auto departure_id = rows::last_departure(tx, booking_id);
    if (!departure_id)
        return errc::date_unavailable;
    return acquire(tx, *departure_id, booking_id, seats, now, hold);
}

Result<void> Service::move(store::Transaction& tx, std::int64_t booking_id, std::int64_t to_departure_id,
                           std::int64_t seats, Instant now) {
    const auto from = rows::last_departure(tx, booking_id);
    if (!from)
        return errc::date_unavailable;
    if (*from == to_departure_id) {
        // Its own seats are among those it may have.
        release(tx, booking_id, "moved", now);
        if (auto taken = acquire(tx, to_departure_id, booking_id, seats, now, {.by_staff = true}); !taken)
            return taken.error();
        promote(tx, to_departure_id, now);
        return {};
    }
    rows::lock(tx, std::min(*from, to_departure_id));
    rows::lock(tx, std::max(*from, to_departure_id));
    const Date today = parts_.settings.zone().date_at(now);
    // The new ones are taken first, and linked once the old link has ended: a booking has one live link.
    const auto taken = rows::take_seats(tx, to_departure_id, seats, rows::Overbook::as_allowed, today, now);
    if (!taken) {
        const auto present = rows::slot(tx, to_departure_id);
        if (!present || present->deleted || !present->on_sale())
            return errc::date_blocked;
        return sold_out(present->available());
    }
    release(tx, booking_id, "moved", now);
    rows::link(tx, booking_id, to_departure_id, seats, now, std::nullopt);
    remember(tx, taken->slot);
    if (taken->is_low)
        tell_low(tx, taken->slot);
    promote(tx, *from, now);
    return {};
}

Result<void> Service::move(store::Transaction& tx, const Trip& trip, const Bookable& to, std::int64_t booking_id,
                           std::int64_t seats, Instant now) {
    if (to.departure_id)
        return move(tx, booking_id, *to.departure_id, seats, now);
    const auto made = materialised(tx, trip, to, now);
    return made ? move(tx, booking_id, made->id, seats, now) : Result<void>{made.error()};
}

std::optional<std::int64_t> Service::release(store::Transaction& tx, std::int64_t booking_id, std::string_view reason,
                                             Instant now) {
    const auto released = rows::unlink(tx, booking_id, reason_of(reason), now);
    if (!released)
        return std::nullopt;
    const auto slot =
        rows::give_seats(tx, released->departure_id, released->seats, parts_.settings.zone().date_at(now), now);
    remember(tx, slot.value());
    return released->departure_id;
}

void Service::lock_of(store::Transaction& tx, std::int64_t booking_id) {
    if (const auto departure_id = rows::last_departure(tx, booking_id))
        rows::lock(tx, *departure_id);
}

void Service::remember(store::Transaction& tx, const Slot& slot) {
    store::touch(tx, channel, store::Tell::polled);
    tx.after_commit([this, slot] { calendar_.put(slot); });
}

}  // namespace svc::availability
