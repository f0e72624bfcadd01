// Asked for thousands of trips at once: each stops at the first date that will do.
#include "base/availability/trip_filter.hpp"

#include <algorithm>

namespace svc::availability {
namespace {

using catalog::trips::Trip;

bool can_be_booked(const Trip& trip, const TripSlots& known, Date date, std::optional<ClockTime> time,
                   const Moment& moment) {
    const auto found = resolve(trip, known, date, time, 1, moment);
    return found && found->available() > 0 && moment.now < found->cutoff_at;
}

bool has_date(const Service& availability, const Trip& trip, Date from, Date to) {
    const Moment moment = availability.moment();
    const auto span = availability.span_of(trip, {.from = from, .to = to}, moment);
    if (!span || span->last < span->first)
        return false;
    const Dates dates = availability.calendar().of(trip.id);
    const TripSlots known = dates->known();
    const auto any = std::any_of(known.slots.begin(), known.slots.end(), [&](const Slot& slot) {
        return !slot.deleted && slot.on_sale() && slot.start_date >= span->first && slot.start_date <= span->last &&
               can_be_booked(trip, known, slot.start_date, slot.time, moment);
    });
    if (any || known.planned)
        return any;
    // Open on every day: the first ones may be past their cut-off or taken.
    for (Date day = span->first; day <= span->last; day = day.plus_days(1))
        if (can_be_booked(trip, known, day, std::nullopt, moment))
            return true;
    return false;
}

void each_price(const Service& availability, const Trip& trip, const std::function<void(Money)>& take) {
    const Dates dates = availability.calendar().of(trip.id);
    if (dates->slots.empty())
        return;
    const Date today = availability.moment().today();
    for (const Slot& slot : dates->slots)
        if (!slot.deleted && slot.on_sale() && slot.start_date >= today)
            take(price_of(trip, slot).effective());
}

}  // namespace

catalog::trips::TripDates trip_filter(const Service& availability) {
    return {.has_date = [&availability](const Trip& trip, Date from,
                                        Date to) { return has_date(availability, trip, from, to); },
            .each_price = [&availability](
                              const Trip& trip,
                              const std::function<void(Money)>& take) { each_price(availability, trip, take); }};
}

}  // namespace svc::availability
