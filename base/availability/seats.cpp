// Seats: found, taken and given back, always by the database's word.
#include <algorithm>

#include "base/availability/hooks.hpp"
#include "base/availability/service.hpp"
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
    bool planned = false;
};
Known known_on(store::Session& session, const Trip& trip, Date date) {
    Known known{rows::on_date(session, trip.id, date), false};
    known.planned =
        std::any_of(known.slots.begin(), known.slots.end(), [](const Slot& each) { return each.is_planned(); }) ||
        rows::is_planned(session, trip.id);
    return known;
}

json::Value to_json(const Bookable& date) {
    return json::Value::object({{"id", date.departure_id},
                                {"date", date.date},
                                {"time", date.time},
                                {"max_capacity", date.capacity},
                                {"available_capacity", date.available()},
                                {"source", date_source_of(date.origin)},
                                {"original_price", date.price.regular},
                                {"price", date.price.effective()}});
}

}  // namespace

Result<Bookable> Service::find_bookable(store::Session& session, const Trip& trip, Date date,
                                        std::optional<ClockTime> time, int seats, bool by_staff, Instant now) const {
    const Moment here{now, parts_.settings.zone()};
    // A list may be asked for further dates; what visitors buy ends here whatever they were shown.
    if (!by_staff && date > here.today().plus_months(horizon()))
        return errc::date_unavailable;
    const Known known = known_on(session, trip, date);
    return offered(availability::resolve(trip, {known.slots, known.planned}, date, time, seats, here), trip.id,
                   by_staff, now);
}

Result<Bookable> Service::find_shown(const Trip& trip, Date date, std::optional<ClockTime> time, int seats,
                                     Instant now) const {
    const Moment here{now, parts_.settings.zone()};
    if (date > here.today().plus_months(horizon()))
        return errc::date_unavailable;
    const Dates known = calendar_.of(trip.id);
    std::vector<Slot> slots;
    for (const Slot& slot : known->slots)
        if (slot.start_date == date && !slot.deleted)
            slots.push_back(slot);
    return offered(availability::resolve(trip, {slots, known->planned}, date, time, seats, here), trip.id, false, now);
}

Result<Bookable> Service::offered(Result<Bookable> found, std::int64_t trip_id, bool by_staff, Instant now) const {
    if (!found)
        return found;
    if (!by_staff && now >= found->cutoff_at)
        return errc::cutoff_passed;
    if (parts_.hooks.apply(resolve_availability, to_json(*found), {trip_id, found->date}).is_null())
        return errc::date_unavailable;
    return found;
}

Result<Slot> Service::materialised(store::Transaction& tx, const Trip& trip, const Bookable& open, Instant now) const {
    Departure fresh;
    fresh.trip_id = trip.id;
    fresh.origin = open.origin;
    fresh.start_date = open.date;
    fresh.end_date = open.end_date;
    fresh.time = open.time;
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
    const Known known = known_on(tx, trip, date);
    auto found = availability::resolve(trip, {known.slots, known.planned}, date, time, static_cast<int>(seats),
                                       {now, parts_.settings.zone()});
    if (!found)
        return found.error();
    return take(tx, trip, *found, booking_id, seats, now);
}

Result<std::int64_t> Service::take(store::Transaction& tx, const Trip& trip, const Bookable& found,
                                   std::int64_t booking_id, std::int64_t seats, Instant now) {
    std::int64_t departure_id = 0;
    if (found.departure_id) {
        departure_id = *found.departure_id;
    } else {
        auto made = materialised(tx, trip, found, now);
        if (!made)
            return made.error();
        departure_id = made->id;
    }
    if (auto taken = acquire(tx, departure_id, booking_id, seats, now); !taken)
        return taken.error();
    return departure_id;
}

Result<void> Service::acquire(store::Transaction& tx, std::int64_t departure_id, std::int64_t booking_id,
                              std::int64_t seats, Instant now) {
    const auto slot = rows::take_seats(tx, departure_id, seats, parts_.settings.zone().date_at(now), now);
    if (!slot) {
        const auto present = rows::slot(tx, departure_id);
        if (!present || present->deleted || !present->on_sale())
            return errc::date_blocked;
        return sold_out(present->available());
    }
    rows::link(tx, booking_id, departure_id, seats, now);
    remember(tx, *slot);
    return {};
}

Result<void> Service::take_again(store::Transaction& tx, std::int64_t booking_id, std::int64_t seats, Instant now) {
    const auto departure_id = rows::last_departure(tx, booking_id);
    if (!departure_id)
        return errc::date_unavailable;
    return acquire(tx, *departure_id, booking_id, seats, now);
}

bool Service::release(store::Transaction& tx, std::int64_t booking_id, std::string_view reason, Instant now) {
    const auto released = rows::unlink(tx, booking_id, reason_of(reason), now);
    if (!released)
        return false;
    const auto slot =
        rows::give_seats(tx, released->departure_id, released->seats, parts_.settings.zone().date_at(now), now);
    remember(tx, slot.value());
    return true;
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
