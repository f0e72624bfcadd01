// Makes bookable dates of departures, of rules and of a trip itself; dates.cpp decides which of them count.
#pragma once

#include <vector>

#include "base/sales/availability/dates/dates.hpp"

namespace svc::availability {

// For one call: refers to its arguments.
class Maker {
  public:
    Maker(const catalog::trips::Trip& trip, const Zone& zone);

    [[nodiscard]] Bookable from_departure(const Slot& slot, const Rule* rule);
    [[nodiscard]] Bookable from_rule(const Rule& rule, const Day& day, std::optional<ClockTime> time,
                                     const RuleSlot* slot);
    // A day that is open to everyone.
    [[nodiscard]] Bookable from_trip(const Day& day, std::optional<ClockTime> time);

    // Calls take(time, slot) for each time of a rule's day: its own ones, else its one time, else the trip's.
    template <class Take>
    void each_time(const Rule& rule, Take take) const {
        for (const RuleSlot& slot : rule.slots)
            take(std::optional(slot.departure_time), &slot);
        if (!rule.slots.empty())
            return;
        if (rule.departure_time)
            take(rule.departure_time, static_cast<const RuleSlot*>(nullptr));
        else
            each_time([&](std::optional<ClockTime> time) { take(time, static_cast<const RuleSlot*>(nullptr)); });
    }
    // The trip's own times; one without a time when it has none.
    template <class Take>
    void each_time(Take take) const {
        if (!trip_.has_default_time_slots || trip_.time_slots.empty())
            return take(trip_.departure_time);
        for (const catalog::trips::TimeSlot& slot : trip_.time_slots)
            take(std::optional(slot.departure_time));
    }

  private:
    [[nodiscard]] Bookable at(const Day& day, std::optional<ClockTime> time, const Rule* rule);

    // By category or not: as `by_category`, else as the trip. With prices by category the date shows a category's
    // price, since no other price is ever charged.
    void choose_pricing(Bookable& date, const std::optional<bool>& by_category) const;

    const catalog::trips::Trip& trip_;
    PricePair trip_price_;  // by category
    bool windows_ = false;  // a category is not offered on every date
    Zone zone_;
};

// The pricing type of the departure, else of its rule; empty: the trip's.
std::optional<bool> own_pricing_of(const Slot& slot, const Rule* rule);
// Adds the prices of a further level, for categories that the nearer ones are silent about; of a rule those of one of
// its times first.
void take_categories(CategoryPrices& into, const CategoryPrices& further);
void take_categories(CategoryPrices& into, const Rule& rule, const RuleSlot* slot);
// The price of the departure or its rule; empty: the trip's price applies.
std::optional<PricePair> dated_price(const Slot& slot, const Rule* rule);
// The price of everybody alike where neither departure nor rule has one: the season's, else that of the trip's time,
// else the trip's.
PricePair undated_price(const catalog::trips::Trip& trip, Date date, const std::optional<ClockTime>& time);
// The price of a traveler category on a date with these prices: one of them, else the trip's.
PricePair price_for(const catalog::trips::PriceType& type, const CategoryPrices& own);

// The category whose price a date shows, chosen as for the trip, from those offered on the date; null when there is
// none.
const catalog::trips::PriceType* shown_type_on(const catalog::trips::Trip& trip, const CategoryPrices& own, Date date);

// The rule with that id; null when there is none.
const Rule* rule_of(std::span<const Rule> rules, const std::optional<std::int64_t>& id);

}  // namespace svc::availability
