// The rules of bookable dates.
#include "base/availability/dates.hpp"

#include <algorithm>

namespace svc::availability {
namespace {

using catalog::trips::Trip;

// No time sorts before every time.
int minutes_of(const std::optional<ClockTime>& time) { return time ? time->minutes() : -1; }

// Whether a departure that is not on sale takes this date and time off sale with it.
bool blocks(const Slot& slot, Date date, const std::optional<ClockTime>& time) {
    return !slot.deleted && !slot.on_sale() && slot.start_date == date && (!slot.time || slot.time == time);
}

Bookable from_slot(const Trip& trip, const Slot& slot, const Zone& zone) {
    return {.departure_id = slot.id,
            .origin = slot.origin,
            .date = slot.start_date,
            .end_date = slot.end_date,
            .time = slot.time,
            .capacity = slot.capacity,
            .booked = slot.booked,
            .price = price_of(trip, slot),
            .own_price = slot.regular_price.has_value(),
            .cutoff_at = cutoff_of(trip, &slot, slot.start_date, slot.time, zone)};
}

Bookable open_date(const Trip& trip, Date date, const Zone& zone) {
    return {.departure_id = std::nullopt,
            .origin = Origin::open,
            .date = date,
            .end_date = date.plus_days(trip.length() - 1),
            .time = trip.departure_time,
            .capacity = trip.default_capacity(),
            .booked = 0,
            .price = catalog::trips::price_of(trip),
            .own_price = false,
            .cutoff_at = cutoff_of(trip, nullptr, date, trip.departure_time, zone)};
}

bool in_season(const Trip& trip, Date date) {
    return (!trip.available_from || date >= *trip.available_from) && (!trip.available_to || date <= *trip.available_to);
}

// Days of the span that no departure speaks for.
void add_open_dates(std::vector<Bookable>& dates, const Trip& trip, const TripSlots& known, const Span& span,
                    const Moment& moment) {
    std::vector<Date> taken;
    for (const Slot& slot : known.slots)
        if (!slot.deleted && (slot.time == trip.departure_time || blocks(slot, slot.start_date, trip.departure_time)))
            taken.push_back(slot.start_date);
    std::sort(taken.begin(), taken.end());
    const Date last = std::min(span.last, moment.today().plus_days(farthest_days));
    for (Date day = span.first; day <= last; day = day.plus_days(1))
        if (in_season(trip, day) && !std::binary_search(taken.begin(), taken.end(), day))
            dates.push_back(open_date(trip, day, moment.zone));
}

}  // namespace

catalog::trips::PricePair price_of(const Trip& trip, const Slot& slot) {
    if (slot.regular_price)
        return {*slot.regular_price, slot.sale_price};
    return catalog::trips::price_of(trip);
}

Instant cutoff_of(const Trip& trip, const Slot* slot, Date date, std::optional<ClockTime> time, const Zone& zone) {
    const int hours = slot && slot->cutoff_hours ? *slot->cutoff_hours : trip.booking_deadline_hours;
    Instant cutoff = zone.instant_of(date, time.value_or(ClockTime())).minus(std::chrono::hours(hours));
    if (slot && slot->cutoff_date)
        cutoff = std::min(cutoff, zone.instant_of(slot->cutoff_date->plus_days(1), ClockTime()));
    return cutoff;
}

std::vector<Bookable> bookable_dates(const Trip& trip, const TripSlots& known, const Span& span, const Moment& moment) {
    std::vector<Bookable> dates;
    std::vector<const Slot*> closed;
    for (const Slot& slot : known.slots)
        if (!slot.deleted && !slot.on_sale())
            closed.push_back(&slot);
    for (const Slot& slot : known.slots) {
        if (slot.deleted || !slot.on_sale() || slot.start_date < span.first || slot.start_date > span.last ||
            !in_season(trip, slot.start_date))
            continue;
        const bool blocked = std::any_of(closed.begin(), closed.end(),
                                         [&](const Slot* other) { return blocks(*other, slot.start_date, slot.time); });
        if (!blocked)
            dates.push_back(from_slot(trip, slot, moment.zone));
    }
    if (!known.planned)
        add_open_dates(dates, trip, known, span, moment);
    std::erase_if(dates, [&](const Bookable& each) {
        if (moment.now >= each.cutoff_at || (span.time && each.time != span.time))
            return true;
        if (each.available() <= 0)
            return !span.sold_out_too;
        return each.available() < span.travelers;
    });
    std::sort(dates.begin(), dates.end(), [](const Bookable& a, const Bookable& b) {
        return std::pair(a.date, minutes_of(a.time)) < std::pair(b.date, minutes_of(b.time));
    });
    return dates;
}

Result<Bookable> resolve(const Trip& trip, const TripSlots& known, Date date, std::optional<ClockTime> time, int seats,
                         const Moment& moment) {
    const Date today = moment.today();
    if (!trip.is_public() || date < today || date > today.plus_days(farthest_days) || !in_season(trip, date))
        return errc::date_unavailable;

    const Slot* best = nullptr;
    bool blocked = false;
    for (const Slot& slot : known.slots) {
        if (slot.deleted || slot.start_date != date)
            continue;
        if (!slot.on_sale()) {
            blocked = blocked || !slot.time || !time || slot.time == time;
            if (!slot.time)
                return errc::date_blocked;
            continue;
        }
        if (time && slot.time != time)
            continue;
        // The earliest that has the seats; if none has, the one with the most.
        const auto rank = [&](const Slot& each) {
            const bool fits = each.available() >= seats;
            return std::tuple(!fits, fits ? minutes_of(each.time) : -each.available(), each.id);
        };
        if (!best || rank(slot) < rank(*best))
            best = &slot;
    }
    if (best && best->available() < seats)
        return Error{errc::sold_out}.with("available", std::to_string(best->available()));
    if (best)
        return from_slot(trip, *best, moment.zone);
    if (blocked)
        return errc::date_blocked;
    const bool open = !known.planned && (!time || time == trip.departure_time);
    if (!open)
        return errc::date_unavailable;
    Bookable made = open_date(trip, date, moment.zone);
    if (made.available() < seats)
        return Error{errc::sold_out}.with("available", std::to_string(made.available()));
    return made;
}

}  // namespace svc::availability
