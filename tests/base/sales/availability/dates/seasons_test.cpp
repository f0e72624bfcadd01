// What a trip's seasons change of its dates: prices and seats, by the order of precedence.
#include <doctest/doctest.h>

#include "base/sales/availability/dates/dates.hpp"

using namespace svc;
using namespace svc::availability;
using catalog::trips::PricedSeason;
using catalog::trips::PriceType;
using catalog::trips::Trip;

namespace {

Date on(const char* text) { return Date::parse(text).value(); }
Money usd(std::int64_t minor) { return {minor, Currency::usd()}; }
PricePair pair(std::int64_t regular) { return {usd(regular), std::nullopt}; }

// 200.00, in July and August 300.00.
Trip seasonal() {
    Trip trip;
    trip.id = 1;
    trip.status = catalog::trips::TripStatus::publish;
    trip.type = catalog::trips::TripType::single_day;
    trip.duration_days = 1;
    trip.booking_deadline_hours = 0;
    trip.regular_price = usd(20'000);
    trip.seasons = {{.first = on("2026-07-01"), .last = on("2026-08-31"), .price = pair(30'000)}};
    return trip;
}

constexpr std::int64_t adult = 1, child = 2;

// Adults 100.00, children 60.00; in July and August adults 150.00.
Trip by_category() {
    Trip trip = seasonal();
    trip.traveler_based = true;
    for (const auto& [id, price] : {std::pair(adult, 10'000), std::pair(child, 6'000)})
        trip.price_types.push_back({.id = id,
                                    .category_id = id,
                                    .regular = usd(price),
                                    .discounted = {},
                                    .sale = {},
                                    .is_default = id == adult,
                                    .min_quantity = {},
                                    .max_quantity = {},
                                    .valid_from = {},
                                    .valid_to = {},
                                    .category = {}});
    trip.seasons.front().by_category = {{adult, usd(15'000)}};
    return trip;
}

Slot departure(const char* date) {
    Slot slot;
    slot.id = 7;
    slot.trip_id = 1;
    slot.capacity = 10;
    slot.start_date = slot.end_date = on(date);
    return slot;
}

Rule daily() {
    Rule rule;
    rule.id = 3;
    rule.trip_id = 1;
    for (unsigned day = 0; day < 7; ++day)
        rule.weekdays.add(day);
    return rule;
}

Bookable date_of(const Trip& trip, const char* date, const std::vector<Slot>& slots = {},
                 const std::vector<Rule>& rules = {}) {
    const Moment now{Instant::parse("2026-05-04T10:00:00Z").value(), Zone::utc()};
    auto found = resolve(trip, {slots, !slots.empty() || !rules.empty(), rules}, on(date), std::nullopt, 1, now);
    REQUIRE(found);
    const auto listed = bookable_dates(trip, {slots, !slots.empty() || !rules.empty(), rules},
                                       {.first = on(date), .last = on(date)}, now);
    REQUIRE(listed.size() == 1);
    CHECK(listed.front().price == found->price);
    CHECK(listed.front().by_category == found->by_category);
    CHECK(listed.front().capacity == found->capacity);
    return std::move(*found);
}

std::int64_t price_of(const Trip& trip, const char* date, const std::vector<Slot>& slots = {},
                      const std::vector<Rule>& rules = {}) {
    return date_of(trip, date, slots, rules).price.effective().minor();
}

}  // namespace

TEST_CASE("a season's price begins on its first day and ends with its last") {
    const Trip trip = seasonal();
    CHECK(price_of(trip, "2026-06-30") == 20'000);
    CHECK(price_of(trip, "2026-07-01") == 30'000);
    CHECK(price_of(trip, "2026-08-31") == 30'000);
    CHECK(price_of(trip, "2026-09-01") == 20'000);
}

TEST_CASE("of several seasons the one that holds the date counts") {
    Trip trip = seasonal();
    trip.seasons.push_back({.first = on("2026-09-01"), .last = on("2026-09-01"), .price = pair(25'000)});
    trip.seasons.push_back({.first = on("2026-12-20"), .last = on("2027-01-06"), .price = pair(40'000)});
    CHECK(price_of(trip, "2026-09-01") == 25'000);
    CHECK(price_of(trip, "2026-09-02") == 20'000);
    CHECK(price_of(trip, "2027-01-01") == 40'000);
    CHECK(trip.season_on(on("2027-01-07")) == nullptr);
    CHECK(Trip().season_on(on("2026-07-01")) == nullptr);
}

TEST_CASE("the departure's price comes first, then its rule's, then the season's, then the trip's") {
    const Trip trip = seasonal();
    Slot slot = departure("2026-07-10");
    CHECK(price_of(trip, "2026-07-10", {slot}) == 30'000);
    Rule rule = daily();
    CHECK(price_of(trip, "2026-07-10", {}, {rule}) == 30'000);
    rule.price = pair(35'000);
    CHECK(price_of(trip, "2026-07-10", {}, {rule}) == 35'000);
    slot.rule_id = rule.id;
    CHECK(price_of(trip, "2026-07-10", {slot}, {rule}) == 35'000);
    slot.regular_price = usd(45'000);
    CHECK(price_of(trip, "2026-07-10", {slot}, {rule}) == 45'000);
    CHECK(price_of(trip, "2026-06-10", {departure("2026-06-10")}) == 20'000);
}

TEST_CASE("a season's reduced price is what is paid, its list price what is struck out") {
    Trip trip = seasonal();
    trip.seasons.front().price->lowered = usd(27'000);
    const Bookable date = date_of(trip, "2026-07-10");
    CHECK(date.price.effective() == usd(27'000));
    CHECK(date.price.regular == usd(30'000));
    CHECK_FALSE(date.own_price);
}

TEST_CASE("each traveler category takes its price from the first level that has one") {
    const Trip trip = by_category();
    const auto prices = [](const Bookable& date) {
        std::string text;
        for (const CategoryPrice& each : date.by_category)
            text += std::to_string(each.category_id) + ":" + std::to_string(each.regular.minor()) + " ";
        return text;
    };
    CHECK(prices(date_of(trip, "2026-06-10")) == "");
    CHECK(date_of(trip, "2026-06-10").price.effective() == usd(10'000));
    CHECK(prices(date_of(trip, "2026-07-10")) == "1:15000 ");
    CHECK(date_of(trip, "2026-07-10").price.effective() == usd(15'000));
    Rule rule = daily();
    rule.by_category = {{child, usd(7'000)}};
    CHECK(prices(date_of(trip, "2026-07-10", {}, {rule})) == "2:7000 1:15000 ");
    Slot slot = departure("2026-07-10");
    slot.rule_id = rule.id;
    slot.by_category = std::make_shared<const CategoryPrices>(CategoryPrices{{adult, usd(19'000)}});
    CHECK(prices(date_of(trip, "2026-07-10", {slot}, {rule})) == "1:19000 2:7000 ");
}

TEST_CASE("a date with one price for everybody takes the season's pair and none of its categories") {
    const Trip trip = by_category();
    Slot slot = departure("2026-07-10");
    slot.traveler_based = false;
    const Bookable date = date_of(trip, "2026-07-10", {slot});
    CHECK_FALSE(date.traveler_based);
    CHECK(date.price.effective() == usd(30'000));
    CHECK(date.by_category.empty());
}

TEST_CASE("a season's price comes before that of the trip's departure time") {
    Trip trip = seasonal();
    trip.has_default_time_slots = true;
    trip.time_slots = {{ClockTime::parse("09:00").value(), {}, {}, usd(9'000)}};
    CHECK(price_of(trip, "2026-06-10") == 9'000);
    CHECK(price_of(trip, "2026-07-10") == 30'000);
}

TEST_CASE("a season's seats are those of open days and of rules without seats, never of a departure") {
    Trip trip = seasonal();
    trip.max_travelers = 12;
    trip.seasons.front().seats = 5;
    CHECK(date_of(trip, "2026-06-10").capacity == 12);
    CHECK(date_of(trip, "2026-07-10").capacity == 5);
    Rule rule = daily();
    CHECK(date_of(trip, "2026-07-10", {}, {rule}).capacity == 5);
    rule.seats = 8;
    CHECK(date_of(trip, "2026-07-10", {}, {rule}).capacity == 8);
    CHECK(date_of(trip, "2026-07-10", {departure("2026-07-10")}).capacity == 10);
    trip.seasons.front().seats.reset();
    CHECK(date_of(trip, "2026-07-10").capacity == 12);
}

TEST_CASE("staff see the season's price in the dates of a rule") {
    const Trip trip = seasonal();
    const std::vector<Rule> rules{daily()};
    const Moment now{Instant::parse("2026-05-04T10:00:00Z").value(), Zone::utc()};
    const auto produced = produced_dates(trip, rules, on("2026-06-30"), on("2026-07-01"), 10, now);
    REQUIRE(produced.dates.size() == 2);
    CHECK(produced.dates[0].price.effective() == usd(20'000));
    CHECK(produced.dates[1].price.effective() == usd(30'000));
}
