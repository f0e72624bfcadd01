// The waitlist of full departures: first come, first served.
#include "base/sales/availability/waitlist/service.hpp"

#include <algorithm>

#include "base/sales/availability/record/hooks.hpp"
#include "base/sales/availability/record/slot_rows.hpp"
#include "base/sales/availability/seats/still_on.hpp"

namespace svc::availability {
namespace {

using catalog::trips::Trip;

constexpr int most_promoted = 25;          // per call; the job continues
constexpr std::int64_t most_served = 500;  // departures at a turn of the job

}  // namespace

Result<Bookable> Waitlist::find_waitable(store::Session& session, const Trip& trip, Date date,
                                         std::optional<ClockTime> time, int seats, bool by_staff, Instant now) const {
    auto found = dates_.find_bookable(session, trip, date, time, 0, by_staff, now);
    if (!found)
        return found;
    const Error refusal = Error{errc::sold_out}.with("available", std::to_string(found->available()));
    // A party larger than the departure would block the queue for ever.
    if (!found->departure_id || found->capacity < seats || !dates_.has_waitlist(trip))
        return refusal;
    if (!parts_.hooks.apply(can_join_waitlist, true, {trip.id, date, seats}).boolean())
        return refusal;
    const auto waiting = rows::waiting_seats(session, *found->departure_id);
    if (trip.waitlist_capacity > 0 && waiting + seats > trip.waitlist_capacity)
        return refusal;
    return found;
}

Result<std::int64_t> Waitlist::join(store::Transaction& tx, const Trip& trip, Date date, std::optional<ClockTime> time,
                                    std::int64_t booking_id, std::int64_t seats, Instant now) {
    SVC_ASSIGN_OR_RETURN(const auto found, find_waitable(tx, trip, date, time, static_cast<int>(seats), true, now));
    const std::int64_t departure_id = found.departure_id.value();
    rows::lock(tx, departure_id);
    if (const auto slot = rows::slot(tx, departure_id); !slot || !is_still_on(*slot, found))
        return errc::date_unavailable;
    calendar_.follow(tx, rows::join(tx, booking_id, departure_id, seats, now).value());
    return departure_id;
}

Result<std::int64_t> Waitlist::join_again(store::Transaction& tx, std::int64_t booking_id, std::int64_t seats,
                                          Instant now) {
    const auto departure_id = Seats::departure_of(tx, booking_id);
    if (!departure_id)
        return errc::date_unavailable;
    rows::lock(tx, *departure_id);
    const auto present = rows::slot(tx, *departure_id);
    if (!present || present->is_deleted() || !present->on_sale())
        return errc::date_blocked;
    SVC_ASSIGN_OR_RETURN(const auto trip, catalog::trips::Service::find(tx, present->trip_id));
    if (trip.waitlist_capacity > 0 && rows::waiting_seats(tx, *departure_id) + seats > trip.waitlist_capacity)
        return Error{errc::sold_out}.with("available", std::to_string(present->available()));
    calendar_.follow(tx, rows::join(tx, booking_id, *departure_id, seats, now).value());
    return *departure_id;
}

Result<void> Waitlist::change_waiting(store::Transaction& tx, const Trip& trip, const std::optional<Bookable>& to,
                                      std::int64_t booking_id, std::int64_t seats, Instant now) {
    const auto from = Seats::departure_of(tx, booking_id);
    if (!from)
        return errc::date_unavailable;
    std::int64_t departure_id = to ? to->departure_id.value_or(0) : *from;
    if (departure_id == 0) {
        SVC_ASSIGN_OR_RETURN(const auto departure, seats_.make_departure(tx, trip, *to, now));
        departure_id = departure.id;
    }
    rows::lock(tx, std::min(*from, departure_id));
    rows::lock(tx, std::max(*from, departure_id));
    if (const auto left = rows::leave(tx, booking_id, "left", std::nullopt, now))
        calendar_.follow(tx, *left);
    const auto present = rows::slot(tx, departure_id);
    if (!present || present->is_deleted() || !present->on_sale())
        return errc::date_blocked;
    const bool has_room =
        trip.waitlist_capacity == 0 || rows::waiting_seats(tx, departure_id) + seats <= trip.waitlist_capacity;
    if (present->capacity < seats || !has_room)
        return Error{errc::sold_out}.with("available", std::to_string(present->available()));
    calendar_.follow(tx, rows::join(tx, booking_id, departure_id, seats, now).value());
    return {};
}

std::optional<std::int64_t> Waitlist::leave(store::Transaction& tx, std::int64_t booking_id, bool served, Instant now) {
    const auto left = rows::leave(tx, booking_id, served ? "promoted" : "left", std::nullopt, now);
    if (!left)
        return std::nullopt;
    calendar_.follow(tx, *left);
    return left->id;
}

// Not beyond the start, when seats are useless.
std::optional<Instant> Waitlist::offer_end(Instant now, Instant start) const {
    const auto hours = parts_.settings.integer("waitlist_offer_hours");
    if (hours == 0 || parts_.settings.flag("waitlist_auto_confirm"))
        return std::nullopt;
    return std::min(now.plus(std::chrono::hours(hours)), start);
}

void Waitlist::promote(store::Transaction& tx, std::int64_t departure_id, Instant now) {
    if (!bookings_)
        return;
    const Zone zone = parts_.settings.zone();
    const Date today = zone.date_at(now);
    const auto present = rows::slot(tx, departure_id);
    if (!present || present->is_deleted() || !present->on_sale())
        return;
    const Instant start = zone.instant_of(present->start_date, present->time.value_or(ClockTime()));
    if (now >= start)
        return;
    if (const auto trip = catalog::trips::Service::find(tx, present->trip_id); !trip || !trip->is_public())
        return;
    for (int count = 0; count < most_promoted; ++count) {
        const auto next = rows::head(tx, departure_id);
        if (!next || !bookings_->may_promote(tx, next->booking_id))
            return;
        const auto taken = Seats::take_free(tx, departure_id, next->seats, today, now);
        if (!taken)
            return;
        rows::leave(tx, next->booking_id, "promoted", offer_end(now, start), now);
        seats_.give(tx, *taken, next->booking_id, next->seats, now, std::nullopt);
        bookings_->promoted(tx, next->booking_id, present->trip_id, departure_id,
                            parts_.settings.flag("waitlist_auto_confirm"), now);
    }
}

Result<void> Waitlist::move(store::Transaction& tx, std::int64_t booking_id, std::int64_t to_departure_id,
                            std::int64_t seats, Instant now) {
    SVC_ASSIGN_OR_RETURN(const auto left, seats_.move(tx, booking_id, to_departure_id, seats, now));
    promote(tx, left, now);
    return {};
}

Result<void> Waitlist::move(store::Transaction& tx, const Trip& trip, const Bookable& to, std::int64_t booking_id,
                            std::int64_t seats, Instant now) {
    if (to.departure_id)
        return move(tx, booking_id, *to.departure_id, seats, now);
    const auto departure = seats_.make_departure(tx, trip, to, now);
    return departure ? move(tx, booking_id, departure->id, seats, now) : Result<void>{departure.error()};
}

Result<std::int64_t> Waitlist::serve_waiting(Instant now) {
    const Date today = parts_.settings.zone().date_at(now);
    const auto open = parts_.store.reading<std::vector<std::int64_t>>(
        [&](store::Session& session) { return rows::servable(session, today, most_served); });
    std::int64_t served = 0;
    for (const std::int64_t id : open) {
        std::int64_t before = 0, after = 0;
        auto written = parts_.store.write([&](store::Transaction& tx) -> Result<void> {
            rows::lock(tx, id);
            before = rows::waiting_seats(tx, id);
            promote(tx, id, now);
            after = rows::waiting_seats(tx, id);
            return {};
        });
        if (!written)
            return written.error();
        served += before - after;
    }
    return served;
}

}  // namespace svc::availability
