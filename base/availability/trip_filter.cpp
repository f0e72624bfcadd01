// Asked for thousands of trips at once: each stops at the first date that will do.
#include "base/availability/trip_filter.hpp"

#include "base/availability/offer.hpp"

namespace svc::availability {
namespace {

using catalog::trips::Trip;

bool has_date(const Service& availability, const Moment& moment, const Trip& trip, Date from, Date to) {
    auto span = availability.span_of(trip, {.from = from, .to = to}, moment);
    if (!span || span->last < span->first)
        return false;
    span->sold_out_too = false;
    span->most = 1;
    return !bookable_dates(trip, availability.calendar().of(trip.id)->known(), *span, moment).empty();
}

void each_price(const Rule& rule, const std::function<void(Money)>& take) {
    if (rule.price)
        take(rule.price->effective());
    for (const RuleSlot& slot : rule.slots)
        if (slot.price)
            take(slot.price->effective());
    for (const RuleWeekday& each : rule.overrides)
        if (each.price)
            take(each.price->effective());
}

void each_price(const Service& availability, Date today, const Trip& trip, const std::function<void(Money)>& take) {
    const Dates dates = availability.calendar().of(trip.id);
    for (const Rule& rule : dates->rule_list())
        if (rule.active())
            each_price(rule, take);
    for (const Slot& slot : dates->slots)
        if (!slot.deleted && slot.on_sale() && slot.start_date >= today)
            take(price_of(trip, slot, rule_of(dates->rule_list(), slot.rule_id)).effective());
}

}  // namespace

catalog::trips::TripDates trip_filter(const Service& availability) {
    return {.has_date =
                [&availability] {
                    return [&availability, moment = availability.moment()](const Trip& trip, Date from, Date to) {
                        return has_date(availability, moment, trip, from, to);
                    };
                },
            .each_price =
                [&availability] {
                    return [&availability, today = availability.moment().today()](
                               const Trip& trip, const std::function<void(Money)>& take) {
                        each_price(availability, today, trip, take);
                    };
                }};
}

}  // namespace svc::availability
