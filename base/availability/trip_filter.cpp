// Asked for thousands of trips at once: each stops at the first date that will do.
#include "base/availability/trip_filter.hpp"

#include <algorithm>

#include "base/availability/offer.hpp"

namespace svc::availability {
namespace {

using catalog::trips::Trip;

// Whether trips have a date that can be booked, as of one moment. Most are told without gathering any dates.
class HasDate {
  public:
    explicit HasDate(const Service& availability)
        : availability_(availability), moment_(availability.moment()), today_(moment_.today()) {}

    bool operator()(const Trip& trip, Date from, Date to) const {
        Span span{.first = std::max({from, today_, trip.available_from.value_or(from)}),
                  .last = std::min({to, today_.plus_days(farthest_days), trip.available_to.value_or(to)}),
                  .sold_out_too = false,
                  .most = 1};
        if (span.last < span.first)
            return false;
        const Dates dates = availability_.calendar().of(trip.id);
        if (dates->rule_list().empty()) {
            if (!dates->planned && dates->slots.empty() && is_surely_open(trip, span.last))
                return true;
            const auto in_span = [&](const Slot& each) {
                return each.start_date >= span.first && each.start_date <= span.last;
            };
            if (dates->planned && std::none_of(dates->slots.begin(), dates->slots.end(), in_span))
                return false;
        }
        return !bookable_dates(trip, dates->known(), span, moment_).empty();
    }

  private:
    // On a trip that is open every day: closes at the earliest that many hours before the day begins anywhere.
    [[nodiscard]] bool is_surely_open(const Trip& trip, Date day) const {
        return !trip.has_default_time_slots && day.days() - today_.days() > 2 + trip.booking_deadline_hours / 24;
    }

    const Service& availability_;
    const Moment moment_;
    const Date today_;
};

}  // namespace

catalog::trips::TripDates trip_filter(const Service& availability) {
    return {.has_date = [&availability] { return HasDate(availability); },
            .each_price =
                [&availability](const std::function<void(const catalog::trips::DatePrice&)>& take) {
                    const auto prices = availability.calendar().prices();
                    const Date today = availability.moment().today();
                    prices->walk(true, 0, [&](const DatedPrice& each) {
                        if (each.last >= today)
                            take({each.trip_id, each.price, each.of_category, each.counts});
                        return true;
                    });
                }};
}

}  // namespace svc::availability
