// What the plan of a trip makes of a price, and which plans there can be.
#include <random>

#include <doctest/doctest.h>

#include "pro/scheduled_payments/trip_plan.hpp"

using namespace svc;
using namespace svc::pro::scheduled_payments;

namespace {

Date day(const char* text) { return Date::parse(text).value(); }
Money usd(std::int64_t minor) { return {minor, Currency::usd()}; }
Rate percent(std::int64_t whole) { return {.ppm = whole * 10'000}; }

const Date today = day("2026-05-04"), july = day("2026-07-12");

using Planned = TripPlanPart;
const Planned tenth{.rate = percent(10)};

TripPlan plan(std::vector<Planned> parts) { return {.parts = std::move(parts)}; }

// "now 100.00; 2026-05-18 300.00; 2026-06-12 (30) 600.00": in parentheses the days before departure.
std::string said(const Divided& divided) {
    std::string all = "now " + divided.first.decimal();
    for (const AgreedPart& each : divided.later)
        all += "; " + each.part.date.text() +
               (each.days_before_tour ? " (" + std::to_string(*each.days_before_tour) + ")" : "") + " " +
               each.part.amount.decimal();
    return all;
}

// "field: sentence" of the first fault; empty: there is none.
std::string fault_of(const TripPlan& wanted) {
    Faults faults;
    check(wanted, faults);
    return faults.none() ? "" : faults.error().fields().front().field;
}

}  // namespace

TEST_CASE("a price is divided into its shares and amounts on their days, and the last part takes the rest") {
    const TripPlan thirds = plan(
        {tenth, {.rate = percent(30), .due = "after_booking", .days = 14}, {.due = "before_departure", .days = 30}});
    CHECK(said(divide(thirds, usd(100'000), today, july)) == "now 100.00; 2026-05-18 300.00; 2026-06-12 (30) 600.00");
    const TripPlan amounts = plan({{.amount = usd(20'000)}, {.due = "date", .on = day("2026-06-01")}});
    CHECK(said(divide(amounts, usd(100'000), today, july)) == "now 200.00; 2026-06-01 800.00");
    // What does not divide goes to the last part.
    const TripPlan sevenths = plan({{.rate = Rate{.ppm = 333'333}},
                                    {.rate = Rate{.ppm = 333'333}, .due = "after_booking", .days = 1},
                                    {.due = "after_booking", .days = 2}});
    CHECK(said(divide(sevenths, usd(100), today, july)) == "now 0.33; 2026-05-05 0.33; 2026-05-06 0.34");
    CHECK(said(divide(plan({Planned{}}), usd(100'000), today, july)) == "now 1000.00");
}

TEST_CASE("parts whose day has come are paid with the first one") {
    const TripPlan fixed_days = plan({tenth,
                                      {.rate = percent(20), .due = "date", .on = day("2026-05-01")},
                                      {.rate = percent(20), .due = "date", .on = today},
                                      {.due = "before_departure", .days = 60}});
    CHECK(said(divide(fixed_days, usd(100'000), today, july)) == "now 500.00; 2026-05-13 (60) 500.00");
    CHECK(said(divide(fixed_days, usd(100'000), today, today.plus_days(60))) == "now 1000.00");
    CHECK(said(divide(fixed_days, usd(100'000), today, today.plus_days(1))) == "now 1000.00");
}

TEST_CASE("parts are in order of their days, one for each day, and none on the day of travel or later") {
    const TripPlan mixed = plan({tenth,
                                 {.rate = percent(20), .due = "before_departure", .days = 10},
                                 {.rate = percent(30), .due = "after_booking", .days = 30},
                                 {.due = "date", .on = day("2026-06-03")}});
    CHECK(said(divide(mixed, usd(100'000), today, july)) == "now 100.00; 2026-06-03 700.00; 2026-07-02 (10) 200.00");
    const TripPlan late = plan(
        {tenth, {.rate = percent(50), .due = "after_booking", .days = 200}, {.due = "before_departure", .days = 0}});
    CHECK(said(divide(late, usd(100'000), today, july)) == "now 100.00; 2026-07-11 900.00");
}

TEST_CASE("an amount beyond what is left of the price is that, and a booking begins with one unit at least") {
    const TripPlan high = plan({{.amount = usd(20'000)},
                                {.amount = usd(50'000), .due = "after_booking", .days = 5},
                                {.due = "after_booking", .days = 9}});
    CHECK(said(divide(high, usd(60'000), today, july)) == "now 200.00; 2026-05-09 400.00");
    CHECK(said(divide(high, usd(15'000), today, july)) == "now 150.00");
    const TripPlan tiny = plan({{.rate = Rate{.ppm = 1}}, {.due = "after_booking", .days = 5}});
    CHECK(said(divide(tiny, usd(100), today, july)) == "now 0.01; 2026-05-09 0.99");
}

TEST_CASE("parts add up to the price, whatever price and plan, in currencies with 0, 2 and 3 decimals") {
    std::mt19937_64 random(48);  // NOLINT: the same plans at each run
    const auto up_to = [&](std::int64_t most) {
        return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(most));
    };
    const std::array currencies{Currency::parse("JPY").value(), Currency::usd(), Currency::parse("KWD").value()};
    int divided_more = 0;
    for (int turn = 0; turn < 1'000; ++turn) {
        const Currency currency = currencies[static_cast<std::size_t>(turn) % currencies.size()];
        const std::int64_t count = 1 + up_to(10);
        TripPlan any{.currency = currency};
        std::int64_t ppm = 0;
        for (std::int64_t at = 0; at < count; ++at) {
            Planned part{.due = at == 0 ? "booking" : "after_booking"};
            if (at + 1 < count && up_to(2) == 0)
                part.amount = Money{1 + up_to(500'000), currency};
            else if (at + 1 < count) {
                part.rate = Rate{.ppm = 1 + up_to((999'999 - ppm) / (count - at))};
                ppm += part.rate->ppm;
            }
            if (at > 0 && up_to(3) == 0) {
                part.due = "date";
                part.on = today.plus_days(static_cast<std::int32_t>(up_to(400)) - 100);
            } else if (at > 0) {
                part.due = up_to(2) == 0 ? "after_booking" : "before_departure";
                part.days = static_cast<int>(1 + up_to(400));
            }
            any.parts.push_back(part);
        }
        const Money price{1 + up_to(turn % 2 == 0 ? 300 : 10'000'000), currency};
        const Date travel_date = today.plus_days(static_cast<std::int32_t>(1 + up_to(500)));
        const Divided divided = divide(any, price, today, travel_date);
        CAPTURE(turn);
        Money sum = divided.first;
        REQUIRE(!sum.is_zero());
        for (std::size_t at = 0; at < divided.later.size(); ++at) {
            const AgreedPart& each = divided.later[at];
            sum += each.part.amount;
            REQUIRE(each.part.amount > Money::zero(currency));
            REQUIRE(each.part.date > today);
            REQUIRE(each.part.date < travel_date);
            REQUIRE(each.number == static_cast<std::int64_t>(at) + 1);
            REQUIRE((at == 0 || divided.later[at - 1].part.date < each.part.date));
        }
        REQUIRE(sum == price);
        divided_more += divided.later.size() > 1 ? 1 : 0;
        // Another rest than the plan's is divided exactly too.
        const Money rest{1 + up_to(1'000'000), currency};
        const auto parts = for_rest(divided.later, rest);
        Money rests = Money::zero(currency);
        for (const AgreedPart& each : parts)
            rests += each.part.amount;
        REQUIRE((parts.empty() ? divided.later.empty() : rests == rest));
    }
    CHECK(divided_more > 300);
}

TEST_CASE("a plan that cannot be one is refused by the field") {
    const Planned rest{.due = "after_booking", .days = 30},
        half{.rate = percent(50), .due = "after_booking", .days = 10};
    CHECK(fault_of(plan({tenth, half, rest})).empty());
    CHECK(fault_of(plan({Planned{}})).empty());
    CHECK(fault_of(plan({})) == "parts");
    CHECK(fault_of(plan(std::vector<Planned>(11, tenth))) == "parts");
    CHECK(fault_of(plan({{.amount = usd(100), .rate = percent(10)}, rest})) == "parts.1.percentage");
    CHECK(fault_of(plan({Planned{}, rest})) == "parts.1.amount");
    CHECK(fault_of(plan({{.amount = usd(0)}, rest})) == "parts.1.amount");
    CHECK(fault_of(plan({{.amount = usd(-1)}, rest})) == "parts.1.amount");
    CHECK(fault_of(plan({{.rate = percent(0)}, rest})) == "parts.1.percentage");
    CHECK(fault_of(plan({tenth, {.amount = usd(1), .due = "after_booking", .days = 3}})) == "parts.2.amount");
    // They come to the price.
    CHECK(fault_of(plan({{.rate = percent(60)}, half, rest})) == "parts.2.percentage");
    CHECK(fault_of(plan({{.rate = percent(50)}, half})).empty());
    CHECK(fault_of(plan({tenth, half})) == "parts.2.percentage");
    CHECK(fault_of(plan({{.amount = usd(100)}, half})) == "parts.2.percentage");
    // Days.
    CHECK(fault_of(plan({{.rate = percent(10), .due = "date", .on = july}, rest})) == "parts.1.due");
    CHECK(fault_of(plan({tenth, Planned{}})) == "parts.2.due");
    CHECK(fault_of(plan({tenth, {.due = "date"}})) == "parts.2.date");
    CHECK(fault_of(plan({tenth, {.due = "after_booking"}})) == "parts.2.days");
    CHECK(fault_of(plan({tenth, {.due = "after_booking", .days = 0}})) == "parts.2.days");
    CHECK(fault_of(plan({tenth, {.due = "date", .on = july, .days = 3}})) == "parts.2.days");
    CHECK(fault_of(plan({tenth, {.due = "after_booking", .on = july, .days = 3}})) == "parts.2.date");
    CHECK(fault_of(plan({tenth, half, {.due = "after_booking", .days = 10}})) == "parts.3.days");
    CHECK(fault_of(plan({tenth,
                         {.rate = percent(10), .due = "before_departure", .days = 10},
                         {.due = "before_departure", .days = 20}})) == "parts.3.days");
    CHECK(fault_of(plan({tenth, {.rate = percent(10), .due = "date", .on = july}, {.due = "date", .on = today}})) ==
          "parts.3.date");
}

TEST_CASE("amounts in a currency that the price is not in divide nothing") {
    CHECK(plan({tenth, {.due = "after_booking", .days = 3}}).fits(Currency::parse("EUR").value()));
    CHECK_FALSE(plan({{.amount = usd(100)}, {.due = "after_booking", .days = 3}}).fits(Currency::parse("EUR").value()));
    CHECK(plan({{.amount = usd(100)}, {.due = "after_booking", .days = 3}}).fits(Currency::usd()));
}
