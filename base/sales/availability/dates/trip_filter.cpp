// Called for thousands of trips at once: the outline decides for most, and the others stop at the first matching date.
#include "base/sales/availability/dates/trip_filter.hpp"

#include <algorithm>
#include <vector>

#include "base/sales/availability/dates/offer.hpp"

namespace svc::availability {
namespace {

using catalog::trips::Trip;

// Whether trips have a date that can be booked, as of one moment.
class HasDate {
  public:
    explicit HasDate(const OfferedDates& dates) : dates_(dates), moment_(dates.moment()), today_(moment_.today()) {
        const auto known = dates.calendar().outlines();
        outlines_.reserve(known->size());
        known->walk(true, 0, [&](const Outline& each) {
            outlines_.push_back(each);
            return true;
        });
    }

    bool operator()(std::int64_t id, Date first, Date last, int sure_days, const Trip& trip) {
        first = std::max(first, today_);
        last = std::min(last, today_.plus_days(farthest_days));
        if (last < first)
            return false;
        const Outline* outline = outline_of(id);
        const bool surely = last.days() - today_.days() > sure_days;
        if (!outline || outline->is_open_always()) {
            // The last day has no departure and no rule, only the trip itself.
            if (surely && (!outline || (outline->weeks & weeks_of(last, last)) == 0))
                return true;
        } else if (!outline->has_rules && (outline->weeks & weeks_of(first, last)) == 0) {
            return false;
        }
        const Dates dates = dates_.calendar().of(id);
        return !bookable_dates(trip, dates->known(), {.first = first, .last = last, .sold_out_too = false, .most = 1},
                               moment_)
                    .empty();
    }

  private:
    // Trips usually come ordered by id.
    const Outline* outline_of(std::int64_t id) {
        const auto before = [](const Outline& each, std::int64_t trip_id) { return each.trip_id < trip_id; };
        if (next_ > 0 && (next_ == outlines_.size() || outlines_[next_].trip_id > id) &&
            outlines_[next_ - 1].trip_id >= id)
            next_ = static_cast<std::size_t>(std::lower_bound(outlines_.begin(), outlines_.end(), id, before) -
                                             outlines_.begin());
        while (next_ < outlines_.size() && outlines_[next_].trip_id < id)
            ++next_;
        return next_ < outlines_.size() && outlines_[next_].trip_id == id ? &outlines_[next_] : nullptr;
    }

    const OfferedDates& dates_;
    const Moment moment_;
    const Date today_;
    std::vector<Outline> outlines_;
    std::size_t next_ = 0;
};

}  // namespace

catalog::trips::TripDates trip_filter(const OfferedDates& dates) {
    return {.has_date = [&dates] { return HasDate(dates); },
            .each_price =
                [&dates](const std::function<void(const catalog::trips::DatePrices&)>& take) {
                    const auto prices = dates.calendar().prices();
                    const Date today = dates.moment().today();
                    prices->walk(true, 0, [&](const DatedPrice& each) {
                        if (each.last >= today)
                            take(each);
                        return true;
                    });
                },
            .today = [&dates] { return dates.moment().today(); },
            .edition = [&dates](bool prices_alone) { return dates.calendar().edition(prices_alone); }};
}

}  // namespace svc::availability
