// Which dates of a trip can be bought, told from its departures alone: no database, no clock of its own.
#pragma once

#include <vector>

#include "base/availability/departure.hpp"
#include "base/catalog/trips/trip.hpp"
#include "shared/core/result.hpp"

namespace svc::availability {

// One date and time as it can be bought.
struct Bookable {
    std::optional<std::int64_t> departure_id;  // empty: an open date that the first booking makes a departure
    Origin origin = Origin::open;
    Date date, end_date;
    std::optional<ClockTime> time;
    int capacity = 0, booked = 0;
    catalog::trips::PricePair price;
    bool own_price = false;  // from the departure, not the trip
    Instant cutoff_at;       // from then on it cannot be booked by the public

    [[nodiscard]] int available() const { return capacity - booked; }
};

// The moment a question is asked, at the site.
struct Moment {
    Instant now;
    Zone zone;
    [[nodiscard]] Date today() const { return zone.date_at(now); }
};

// How far a trip without departures is open, whatever is asked for.
inline constexpr int farthest_days = 3660;

// The pair inheritance: both prices of the departure when it has a list price, else both of the trip.
catalog::trips::PricePair price_of(const catalog::trips::Trip& trip, const Slot& slot);

// When booking closes: that many hours before the start, and at the end of the cut-off day.
Instant cutoff_of(const catalog::trips::Trip& trip, const Slot* slot, Date date, std::optional<ClockTime> time,
                  const Zone& zone);

// A trip's departures that are not deleted, and whether people ever planned one (then no other day is open).
struct TripSlots {
    const std::vector<Slot>& slots;
    bool planned = false;
};

struct Span {
    Date first, last;  // inclusive
    bool sold_out_too = true;
    std::optional<ClockTime> time = {};  // only this one
    int travelers = 1;                   // only dates that can take as many; sold out ones stay if wanted
};
// Sorted by date and time, no time first. Nothing past its cut-off and nothing blocked.
std::vector<Bookable> bookable_dates(const catalog::trips::Trip& trip, const TripSlots& known, const Span& span,
                                     const Moment& moment);

// One date. `slots` are those of that date. The errors are date_unavailable, date_blocked and sold_out with
// data.available; the cut-off is not looked at.
Result<Bookable> resolve(const catalog::trips::Trip& trip, const TripSlots& known, Date date,
                         std::optional<ClockTime> time, int seats, const Moment& moment);

}  // namespace svc::availability
