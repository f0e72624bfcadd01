// Where a date takes its seats, prices and cut-off from.
#include "base/sales/availability/dates/offer.hpp"

#include <algorithm>

namespace svc::availability {
namespace {

using catalog::trips::Trip;

// The first level with a list price, and its reduced price.
const PricePair* pair_of(const Rule& rule, const RuleSlot* slot, const RuleWeekday* weekday) {
    if (slot && slot->price)
        return &*slot->price;
    if (weekday && weekday->price)
        return &*weekday->price;
    return rule.price ? &*rule.price : nullptr;
}

// The trip's own settings for a time of day.
const catalog::trips::TimeSlot* trip_slot(const Trip& trip, const std::optional<ClockTime>& time) {
    if (trip.has_default_time_slots && time)
        for (const catalog::trips::TimeSlot& slot : trip.time_slots)
            if (slot.departure_time == *time)
                return &slot;
    return nullptr;
}

}  // namespace

void take_categories(CategoryPrices& into, const CategoryPrices& further) {
    for (const CategoryPrice& each : further)
        if (std::none_of(into.begin(), into.end(),
                         [&](const CategoryPrice& own) { return own.category_id == each.category_id; }))
            into.push_back(each);
}
void take_categories(CategoryPrices& into, const Rule& rule, const RuleSlot* slot) {
    if (slot)
        take_categories(into, slot->by_category);
    take_categories(into, rule.by_category);
}

const Rule* rule_of(std::span<const Rule> rules, const std::optional<std::int64_t>& id) {
    if (!id)
        return nullptr;
    for (const Rule& rule : rules)
        if (rule.id == *id)
            return &rule;
    return nullptr;
}

std::optional<PricePair> dated_price(const Slot& slot, const Rule* rule) {
    if (slot.regular_price)
        return PricePair{*slot.regular_price, slot.sale_price};
    if (rule)
        if (const auto* pair = pair_of(*rule, rule->slot_at(slot.time), rule->override_on(slot.start_date.weekday())))
            return *pair;
    return std::nullopt;
}

PricePair price_of(const Trip& trip, const Slot& slot, const Rule* rule) {
    if (const auto dated = dated_price(slot, rule))
        return *dated;
    return undated_price(trip, slot.start_date, slot.time);
}

PricePair undated_price(const Trip& trip, Date date, const std::optional<ClockTime>& time) {
    if (const auto* season = trip.season_on(date); season && season->price)
        return *season->price;
    if (const auto* own = trip_slot(trip, time); own && own->price)
        return {*own->price, std::nullopt};
    return catalog::trips::regular_price_of(trip);
}

std::optional<bool> own_pricing_of(const Slot& slot, const Rule* rule) {
    return slot.traveler_based || !rule ? slot.traveler_based : rule->traveler_based;
}

PricePair price_for(const catalog::trips::PriceType& type, const CategoryPrices& own) {
    for (const CategoryPrice& each : own)
        if (each.category_id == type.category_id)
            return {each.regular, each.lowered};
    return type.pair();
}

const catalog::trips::PriceType* shown_type_on(const Trip& trip, const CategoryPrices& own, Date date) {
    const catalog::trips::PriceType* cheapest = nullptr;
    Money least = Money::zero(trip.currency);
    for (const catalog::trips::PriceType& each : trip.price_types) {
        const Money price = price_for(each, own).effective();
        if (price.is_zero() || !each.offered_on(date))
            continue;
        if (each.is_default)
            return &each;
        if (!cheapest || price < least) {
            cheapest = &each;
            least = price;
        }
    }
    return cheapest;
}

Instant cutoff_of(const Trip& trip, const Slot* slot, Date date, std::optional<ClockTime> time, const Zone& zone,
                  const Rule* rule) {
    int hours = rule && rule->cutoff_hours ? *rule->cutoff_hours : trip.booking_deadline_hours;
    if (slot && slot->cutoff_hours)
        hours = *slot->cutoff_hours;
    // Without a clock time and without hours of notice the whole day counts.
    const Instant start =
        time || hours > 0 ? zone.instant_of(date, time.value_or(ClockTime())) : zone.instant_of(date.plus_days(1), {});
    Instant cutoff = start.minus(std::chrono::hours(hours));
    if (slot && slot->cutoff_date)
        cutoff = std::min(cutoff, zone.instant_of(Date::from_days(slot->cutoff_date->days() + 1), ClockTime()));
    return cutoff;
}

Maker::Maker(const Trip& trip, const Zone& zone)
    : trip_(trip),
      trip_price_(catalog::trips::price_of(trip)),
      windows_(std::any_of(trip.price_types.begin(), trip.price_types.end(),
                           [](const auto& each) { return each.valid_from || each.valid_to; })),
      zone_(zone) {}

void Maker::choose_pricing(Bookable& date, const std::optional<bool>& own_pricing) const {
    const bool by_category = own_pricing.value_or(trip_.traveler_based);
    if (!by_category && (!trip_.traveler_based || date.own_price || !date.price.effective().is_zero()))
        return;
    if (const auto* season = trip_.season_on(date.date))
        take_categories(date.by_category, season->by_category);
    if (trip_.traveler_based) {
        date.price = trip_price_;
        if (windows_ || !date.by_category.empty())
            if (const auto* type = shown_type_on(trip_, date.by_category, date.date))
                date.price = price_for(*type, date.by_category);
    } else if (const auto* type = shown_type_on(trip_, date.by_category, date.date)) {
        date.price = price_for(*type, date.by_category);
    } else {
        return;
    }
    date.own_price = false;
    date.traveler_based = true;
}

Bookable Maker::from_departure(const Slot& slot, const Rule* rule) {
    Bookable date{.departure_id = slot.id,
                  .rule_id = slot.rule_id,
                  .origin = slot.origin,
                  .date = slot.start_date,
                  .end_date = slot.end_date,
                  .time = slot.time,
                  .arrival_time = {},
                  .capacity = slot.capacity,
                  .booked = slot.booked,
                  .waitlist_full = trip_.waitlist_capacity > 0 && slot.waiting >= trip_.waitlist_capacity,
                  .alert_threshold = 5,
                  .price = price_of(trip_, slot, rule),
                  .before_listeners = {},
                  .own_price = false,
                  .traveler_based = false,
                  .by_category = {},
                  .cutoff_at = cutoff_of(trip_, &slot, slot.start_date, slot.time, zone_, rule)};
    const RuleSlot* rule_slot = rule ? rule->slot_at(slot.time) : nullptr;
    date.own_price =
        slot.regular_price || (rule && pair_of(*rule, rule_slot, rule->override_on(slot.start_date.weekday())));
    if (slot.by_category)
        take_categories(date.by_category, *slot.by_category);
    if (rule)
        take_categories(date.by_category, *rule, rule_slot);
    choose_pricing(date, own_pricing_of(slot, rule));
    return date;
}

Bookable Maker::at(const Day& day, std::optional<ClockTime> time, const Rule* rule) {
    const auto* own = trip_slot(trip_, time);
    const auto* season = trip_.season_on(day.date);
    const int seats = own && own->seats ? *own->seats : trip_.default_capacity();
    return {.departure_id = {},
            .rule_id = {},
            .origin = Origin::open,
            .date = day.date,
            .end_date = Date::from_days(day.date.days() + trip_.length() - 1),
            .time = time,
            .arrival_time = own ? own->arrival_time : std::nullopt,
            .capacity = season ? season->seats.value_or(seats) : seats,
            .booked = 0,
            .waitlist_full = false,
            .alert_threshold = 5,
            .price = undated_price(trip_, day.date, time),
            .before_listeners = {},
            .own_price = false,
            .traveler_based = false,
            .by_category = {},
            .cutoff_at = cutoff_of(trip_, nullptr, day.date, time, zone_, rule)};
}

Bookable Maker::from_rule(const Rule& rule, const Day& day, std::optional<ClockTime> time, const RuleSlot* slot) {
    const RuleWeekday* weekday = rule.override_on(day.weekday);
    Bookable date = at(day, time, &rule);
    date.rule_id = rule.id;
    date.origin = Origin::recurring;
    date.alert_threshold = rule.alert_threshold;
    if (slot)
        date.arrival_time = slot->arrival_time;
    else if (rule.departure_time || rule.arrival_time)
        date.arrival_time = rule.arrival_time;
    if (slot && slot->seats)
        date.capacity = *slot->seats;
    else if (weekday && weekday->seats)
        date.capacity = *weekday->seats;
    else if (rule.seats)
        date.capacity = *rule.seats;
    if (const auto* pair = pair_of(rule, slot, weekday)) {
        date.price = *pair;
        date.own_price = true;
    }
    take_categories(date.by_category, rule, slot);
    choose_pricing(date, rule.traveler_based);
    return date;
}

Bookable Maker::from_trip(const Day& day, std::optional<ClockTime> time) {
    Bookable date = at(day, time, nullptr);
    choose_pricing(date, std::nullopt);
    return date;
}

}  // namespace svc::availability
