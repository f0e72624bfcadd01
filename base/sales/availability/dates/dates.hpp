// The bookable dates of a trip, computed from its departures and rules: no database, no clock.
#pragma once

#include <span>
#include <vector>

#include "base/catalog/trips/record/trip.hpp"
#include "base/sales/availability/record/departure.hpp"
#include "base/sales/availability/record/rule.hpp"
#include "shared/core/result.hpp"

namespace svc::availability {

// One date and time as it can be bought.
struct Bookable {
    std::optional<std::int64_t> departure_id;  // empty: the first booking makes the departure
    std::optional<std::int64_t> rule_id;       // the rule that offers or has offered it
    Origin origin = Origin::open;
    Date date, end_date;
    std::optional<ClockTime> time, arrival_time;
    int capacity = 0, booked = 0;
    bool waitlist_full = false;  // the waitlist has as many as the trip allows
    int alert_threshold = 5;     // of the departure that a booking makes
    PricePair price;
    std::optional<Money> before_listeners = {};  // the price before listeners changed it
    bool own_price = false;                      // from the departure or its rule, not from season or trip
    bool traveler_based = false;                 // priced by traveler category
    CategoryPrices by_category;  // of departure, rule and season; a category that is missing has the trip's price
    Instant cutoff_at;           // from then on it cannot be booked by the public

    friend bool operator==(const Bookable&, const Bookable&) = default;
    [[nodiscard]] int available() const { return capacity > booked ? capacity - booked : 0; }
    // The id of a date without a departure: rule-7-2026-06-01-09:00.
    [[nodiscard]] std::string name_by_rule() const {
        return "rule-" + std::to_string(rule_id.value_or(0)) + "-" + date.text() +
               (time ? "-" + time->text() : std::string());
    }
};

// The site's current time.
struct Moment {
    Instant now;
    Zone zone;
    [[nodiscard]] Date today() const { return zone.date_at(now); }
};

// The farthest date ahead that a request can reach.
inline constexpr int farthest_days = 3660;
// Dates of one answer; the days after the one that reaches it are left out.
inline constexpr std::size_t most_dates = 10'000;
// Dates that cards are chosen from and months are counted of, where most are not shown.
inline constexpr std::size_t most_counted_dates = 60'000;

// The pair inheritance: both prices of the departure when it has a list price, else both of its rule's time, weekday
// or own pair, else both of the trip's season on that date, else both of the trip. For dates that are not priced by
// traveler category.
PricePair price_of(const catalog::trips::Trip& trip, const Slot& slot, const Rule* rule = nullptr);

// When booking closes: that many hours before the start, and at the end of the cut-off day. A date without a clock
// time and without hours of notice can be booked until its day is over.
Instant cutoff_of(const catalog::trips::Trip& trip, const Slot* slot, Date date, std::optional<ClockTime> time,
                  const Zone& zone, const Rule* rule = nullptr);

// A trip's departures that are not deleted, and whether people ever planned one or a rule (then no other day is open).
struct TripSlots {
    const std::vector<Slot>& slots;
    bool planned = false;
    std::span<const Rule> rules = {};  // by precedence, those that are off too
};

struct Span {
    Date first, last;  // inclusive
    bool sold_out_too = true;
    std::optional<ClockTime> time = {};  // only this one
    int travelers = 1;                   // only dates with that many seats; sold out ones are included on request
    std::size_t most = most_dates;       // dates; the days after the one that reaches it are left out

    [[nodiscard]] bool has_room(const Bookable& date) const {
        return date.available() <= 0 ? sold_out_too : date.available() >= travelers;
    }
};
// Sorted by date and time, no time first. Nothing past its cut-off and nothing blocked.
std::vector<Bookable> bookable_dates(const catalog::trips::Trip& trip, const TripSlots& known, const Span& span,
                                     const Moment& moment);

// The dates that rules produce, with or without departures: for staff, who see past and closed dates too. At most
// `most`, with the total up to most_dates. A date with a departure in `slots` has that departure's seats.
struct ProducedDate : Bookable {
    // As visitors see it: available, limited or sold_out by its seats while bookable; closed after its cut-off, before
    // its notice and out of season; else the status of its departure.
    std::string_view state = "available";
    // Of its rule, as a booking hands them to the departure that it makes.
    std::string from_location = {}, to_location = {};
    std::optional<catalog::trips::Place> from_place = {}, to_place = {};
    std::optional<int> cutoff_hours = {};
};
struct Produced {
    std::vector<ProducedDate> dates;
    std::size_t total = 0, excluded = 0;  // excluded: days that only excluded_dates prevents
    bool truncated = false;               // there are more dates than these
    std::optional<Date> until = {};       // the last day examined
};
Produced produced_dates(const catalog::trips::Trip& trip, std::span<const Rule> rules, Date first, Date last,
                        std::size_t most, const Moment& moment, const std::vector<Slot>& slots = {});

// Whether the departures of a date decide the request alone, without rules and plans.
bool settled_by_departures(const std::vector<Slot>& slots, Date date, std::optional<ClockTime> time, int seats);

// The times at which something leaves on a date, in order, whether or not seats are left; none where what leaves has no
// time. Not of departures that are off sale. `any_notice` as below, past cut-offs included.
std::vector<ClockTime> times_on(const catalog::trips::Trip& trip, const TripSlots& known, Date date,
                                const Moment& moment, bool any_notice);

// One date. `slots` are those of that date. `any_notice`: for staff, to whom a rule's days of notice do not apply and
// past days are open. Errors: date_unavailable, date_blocked, and sold_out with data.available; ignores the cut-off.
Result<Bookable> resolve(const catalog::trips::Trip& trip, const TripSlots& known, Date date,
                         std::optional<ClockTime> time, int seats, const Moment& moment, bool any_notice = false);

}  // namespace svc::availability
