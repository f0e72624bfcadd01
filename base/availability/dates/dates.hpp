// Which dates of a trip can be bought, told from its departures and rules alone: no database, no clock of its own.
#pragma once

#include <span>
#include <vector>

#include "base/availability/record/departure.hpp"
#include "base/availability/record/rule.hpp"
#include "base/catalog/trips/trip.hpp"
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
    bool waitlist_full = false;  // as many wait as the trip lets wait
    int alert_threshold = 5;     // of the departure that a booking makes
    PricePair price;
    std::optional<Money> before_listeners = {};  // what it cost before they changed it
    bool own_price = false;                      // from the departure or its rule, not the trip
    bool traveler_based = false;                 // priced by traveler category
    CategoryPrices by_category;  // of the departure and its rule; a category that is missing has the trip's price
    Instant cutoff_at;           // from then on it cannot be booked by the public

    [[nodiscard]] int available() const { return capacity > booked ? capacity - booked : 0; }
    // What a date that only a rule offers is called: rule-7-2026-06-01-09:00.
    [[nodiscard]] std::string name_by_rule() const {
        return "rule-" + std::to_string(rule_id.value_or(0)) + "-" + date.text() +
               (time ? "-" + time->text() : std::string());
    }
};

// The moment a question is asked, at the site.
struct Moment {
    Instant now;
    Zone zone;
    [[nodiscard]] Date today() const { return zone.date_at(now); }
};

// How far ahead a date may lie, whatever is asked for.
inline constexpr int farthest_days = 3660;
// Dates of one answer; the days after the one that reaches it are left out.
inline constexpr std::size_t most_dates = 10'000;
// Dates that cards are chosen from and months are counted of, where most are not shown.
inline constexpr std::size_t most_counted_dates = 60'000;

// The pair inheritance: both prices of the departure when it has a list price, else both of its rule's time, weekday
// or own pair, else both of the trip. For dates that are not priced by traveler category.
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
    int travelers = 1;                   // only dates that can take as many; sold out ones stay if wanted
    std::size_t most = most_dates;       // dates; the days after the one that reaches it are left out

    [[nodiscard]] bool has_room(const Bookable& date) const {
        return date.available() <= 0 ? sold_out_too : date.available() >= travelers;
    }
};
// Sorted by date and time, no time first. Nothing past its cut-off and nothing blocked.
std::vector<Bookable> bookable_dates(const catalog::trips::Trip& trip, const TripSlots& known, const Span& span,
                                     const Moment& moment);

// What the rules alone produce, whatever departures there are: for staff, who see past dates and closed ones too.
// At most `most`, and how many there are within the bound of most_dates. Seats are those of the departure that stands
// at the date already, where `slots` has one.
struct ProducedDate : Bookable {
    // What a visitor would meet: available, limited or sold_out by its seats while it can be booked; closed past its
    // cut-off, before its notice and out of the trip's season; else what the departure that stands there says.
    std::string_view state = "available";
    // Of its rule, as a booking hands them to the departure that it makes.
    std::string from_location = {}, to_location = {};
    std::optional<catalog::trips::Place> from_place = {}, to_place = {};
    std::optional<int> cutoff_hours = {};
};
struct Produced {
    std::vector<ProducedDate> dates;
    std::size_t total = 0, excluded = 0;  // excluded: days that only excluded_dates keeps away
    bool truncated = false;               // there are more dates than these
    std::optional<Date> until = {};       // the last day that was looked at
};
Produced produced_dates(const catalog::trips::Trip& trip, std::span<const Rule> rules, Date first, Date last,
                        std::size_t most, const Moment& moment, const std::vector<Slot>& slots = {});

// Whether the departures of a date decide alone what becomes of that wish, so that neither rules nor plans matter.
bool settled_by_departures(const std::vector<Slot>& slots, Date date, std::optional<ClockTime> time, int seats);

// The times at which something leaves on a date, in order, whether or not seats are left; none where what leaves has no
// time. Not of departures that are off sale. `any_notice` as below, past cut-offs included.
std::vector<ClockTime> times_on(const catalog::trips::Trip& trip, const TripSlots& known, Date date,
                                const Moment& moment, bool any_notice);

// One date. `slots` are those of that date. `any_notice`: it is staff who ask, to whom a rule's days of notice do not
// count and past days are open. The errors are
// date_unavailable, date_blocked and sold_out with data.available; the cut-off is not looked at.
Result<Bookable> resolve(const catalog::trips::Trip& trip, const TripSlots& known, Date date,
                         std::optional<ClockTime> time, int seats, const Moment& moment, bool any_notice = false);

}  // namespace svc::availability
