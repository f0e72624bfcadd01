// The price of a date by its rules, without a base: kinds, modes, limits, conditions, and properties of random rules.
#include "pro/dynamic_pricing/engine.hpp"

#include <algorithm>

#include "pro/dynamic_pricing/repository.hpp"
#include "tests/support/random.hpp"

using namespace svc;
using namespace svc::pro::dynamic_pricing;
using json::Value;

namespace {

const Date today = Date::from(2026, 6, 1);  // a Monday

Money usd(const char* amount) { return Money::parse(amount, Currency::usd()).value(); }
Rate percent(const char* value) { return Rate::parse_percent(value).value(); }

PricingRule rule(std::int64_t id, const char* kind, const char* value, bool is_share = true) {
    PricingRule made;
    made.id = id;
    made.name = std::string(kind) + " " + value;
    made.rule_type = kind;
    made.status = "active";
    if (is_share)
        made.adjustment.rate = percent(value);
    else
        made.adjustment = {.type = "fixed", .currency = Currency::usd(), .amount = usd(value)};
    return made;
}

struct Occasion {
    int days_before = 30;
    std::optional<std::int64_t> seats = 10, capacity = 20, demand = 50;
    std::int64_t travelers = 2;
};

Explained priced(const std::vector<PricingRule>& rules, const char* base, const Occasion& occasion = {},
                 const Policy& policy = {}) {
    const RuleSet set(rules, policy);
    const Date date = today.plus_days(occasion.days_before);
    std::vector<Match> matches;
    RuleSet::match(set.of_trip(1),
                   facts_of(date, today, occasion.travelers, 5, occasion.seats, occasion.capacity, occasion.demand),
                   today, matches);
    const Explained explained = explain(usd(base), matches, policy);
    CHECK(adjusted(usd(base), matches, policy) == explained.price);
    return explained;
}

std::string price(const std::vector<PricingRule>& rules, const char* base, const Occasion& occasion = {},
                  const Policy& policy = {}) {
    return priced(rules, base, occasion, policy).price.decimal();
}

const Policy wide{
    .mode = Policy::Mode::cumulative, .maximum_markup = percent("100"), .maximum_discount = percent("100")};

Value comparison(const char* field, const char* operation, Value value) {
    return Value::object({{"field", field}, {"operator", operation}, {"value", std::move(value)}});
}
Value group(const char* match, std::vector<Value> members) {
    return Value::object({{"match", match}, {"conditions", Value(json::Array(std::move(members)))}});
}

std::string fault_of(const Value& conditions) {
    PricingRule made = rule(1, "time_based", "10");
    made.conditions = conditions;
    Faults faults;
    check_rule(made, faults);
    return faults.none() ? std::string() : faults.error().fields().front().field;
}

}  // namespace

TEST_CASE("an early bird lowers the price from so many days before travel, whatever the sign of its value") {
    for (const char* value : {"15", "-15"}) {
        PricingRule early = rule(1, "early_bird", value);
        early.min_days_before = 60;
        CHECK(price({early}, "180.00", {.days_before = 60}) == "153.00");
        CHECK(price({early}, "180.00", {.days_before = 59}) == "180.00");
        early.max_days_before = 90;
        CHECK(price({early}, "180.00", {.days_before = 91}) == "180.00");
        early.start_date = today.plus_days(1);  // its days are those of booking
        CHECK(price({early}, "180.00", {.days_before = 60}) == "180.00");
        early.start_date = today;
        CHECK(price({early}, "180.00", {.days_before = 60}) == "153.00");
    }
}

TEST_CASE("a last minute price is cut at the largest discount, and the explanation says so") {
    PricingRule late = rule(1, "last_minute", "40");
    late.max_days_before = 7;
    const auto explained = priced({late}, "80.00", {.days_before = 7});
    CHECK(explained.price.decimal() == "56.00");
    CHECK(name_of(explained.capped) == "maximum_discount");
    REQUIRE(explained.rules.size() == 1);
    CHECK(explained.rules[0].delta.decimal() == "-32.00");
    CHECK(price({late}, "80.00", {.days_before = 8}) == "80.00");
    CHECK(price({late}, "80.00", {.days_before = -1}) == "80.00");
}

TEST_CASE("few seats raise the price, many lower it by half the value, and between them nothing changes") {
    PricingRule seats = rule(1, "inventory", "20");
    seats.min_inventory = 5;
    seats.max_inventory = 15;
    CHECK(price({seats}, "100.00", {.seats = 5}) == "120.00");
    CHECK(price({seats}, "100.00", {.seats = 6}) == "100.00");
    CHECK(price({seats}, "100.00", {.seats = 15}) == "90.00");
    CHECK(price({seats}, "100.00", {.seats = std::nullopt}) == "100.00");
}

TEST_CASE("demand moves the price in proportion to its distance from the thresholds") {
    PricingRule demand = rule(1, "demand", "20");
    CHECK(price({demand}, "150.00", {.demand = 90}) == "165.71");  // 20 x 11/21 per cent
    CHECK(price({demand}, "100.00", {.demand = 100}) == "120.00");
    CHECK(price({demand}, "100.00", {.demand = 0}) == "80.00");
    CHECK(price({demand}, "100.00", {.demand = 79}) == "100.00");
    CHECK(price({demand}, "100.00", {.demand = std::nullopt}) == "100.00");
}

TEST_CASE("a season counts from its first to its last day of travel, weekdays by the date of travel") {
    PricingRule season = rule(1, "seasonal", "20");
    season.start_date = today.plus_days(10);
    season.end_date = today.plus_days(20);
    CHECK(price({season}, "100.00", {.days_before = 9}) == "100.00");
    CHECK(price({season}, "100.00", {.days_before = 10}) == "120.00");
    CHECK(price({season}, "100.00", {.days_before = 20}) == "120.00");
    CHECK(price({season}, "100.00", {.days_before = 21}) == "100.00");
    const PricingRule weekend = rule(2, "time_based", "-7.50", false);  // Friday and Saturday
    CHECK(price({weekend}, "100.00", {.days_before = 4}) == "92.50");
    CHECK(price({weekend}, "100.00", {.days_before = 5}) == "92.50");
    CHECK(price({weekend}, "100.00", {.days_before = 6}) == "100.00");
}

TEST_CASE("modes: the largest change, all in turn, or the cheapest") {
    PricingRule season = rule(1, "seasonal", "20"), weekend = rule(2, "time_based", "10");
    season.start_date = today;
    weekend.weekend_days = {"0", "1", "2", "3", "4", "5", "6"};
    PricingRule early = rule(3, "early_bird", "15");
    early.min_days_before = 20;
    Policy policy;
    CHECK(price({season, weekend}, "200.00", {}, policy) == "240.00");
    CHECK(price({season, weekend, early}, "200.00", {}, policy) == "240.00");
    policy.mode = Policy::Mode::cumulative;
    const auto all = priced({season, weekend}, "200.00", {}, policy);
    CHECK(all.price.decimal() == "264.00");
    REQUIRE(all.rules.size() == 2);
    CHECK(all.rules[0].delta.decimal() == "40.00");
    CHECK(all.rules[1].delta.decimal() == "24.00");
    policy.mode = Policy::Mode::best;
    CHECK(price({season, weekend}, "200.00", {}, policy) == "220.00");
    CHECK(price({season, weekend, early}, "200.00", {}, policy) == "170.00");
}

TEST_CASE("of equally large changes the one of higher priority counts, then the older one") {
    PricingRule up = rule(1, "seasonal", "10"), down = rule(2, "seasonal", "-10");
    up.start_date = down.start_date = today;
    CHECK(price({up, down}, "100.00") == "110.00");
    CHECK(price({down, up}, "100.00") == "110.00");
    down.priority = 2;
    CHECK(price({up, down}, "100.00") == "90.00");
}

TEST_CASE("a rule for certain trips leaves others alone, an amount of another currency every trip") {
    PricingRule elsewhere = rule(1, "time_based", "10");
    elsewhere.weekend_days = {"3"};  // 1 July 2026 is a Wednesday
    elsewhere.applicable_trips = "specific";
    elsewhere.trip_ids = {2};
    CHECK(price({elsewhere}, "100.00") == "100.00");
    elsewhere.trip_ids = {1, 2};
    CHECK(price({elsewhere}, "100.00") == "110.00");
    elsewhere.adjustment = {.type = "fixed",
                            .currency = Currency::parse("EUR").value(),
                            .amount = Money{500, Currency::parse("EUR").value()}};
    CHECK(price({elsewhere}, "100.00") == "100.00");
}

TEST_CASE("conditions are joined by and and or, also within each other") {
    PricingRule nearly_full = rule(1, "time_based", "10");
    nearly_full.weekend_days = {"0", "1", "2", "3", "4", "5", "6"};
    nearly_full.conditions =
        group("any", {comparison("occupancy", "at_least", 80),
                      group("all", {comparison("travelers", "between", Value::array({4, 8})),
                                    comparison("days_before", "at_most", 14), comparison("weekday", "is_not", 1)})});
    const auto at = [&](const Occasion& occasion) { return price({nearly_full}, "100.00", occasion); };
    CHECK(at({.seats = 10}) == "100.00");
    CHECK(at({.seats = 4}) == "110.00");
    CHECK(at({.days_before = 8, .travelers = 4}) == "110.00");
    CHECK(at({.days_before = 7, .travelers = 4}) == "100.00");  // a Monday
    CHECK(at({.days_before = 8, .travelers = 3}) == "100.00");
    CHECK(at({.seats = std::nullopt}) == "100.00");
    nearly_full.conditions = group("all", {comparison("travel_date", "one_of", Value::array({"2026-07-01"}))});
    CHECK(at({}) == "110.00");
    CHECK(at({.days_before = 29}) == "100.00");
}

TEST_CASE("conditions that nobody can mean are rejected with their field") {
    CHECK(fault_of({}).empty());
    CHECK(fault_of(group("all", {comparison("demand", "at_least", 80)})).empty());
    Value deep = comparison("demand", "is", 1);
    for (int level = 0; level < 50; ++level)
        deep = group("all", {std::move(deep)});
    const std::vector<Value> many(51, comparison("demand", "is", 1));
    for (const Value& bad :
         {deep, group("all", many), group("all", {}), group("some", {comparison("demand", "is", 1)}),
          group("all", {comparison("moon", "is", 1)}), group("all", {comparison("demand", "near", 1)}),
          group("all", {comparison("demand", "is", 101)}), group("all", {comparison("demand", "is", -1)}),
          group("all", {comparison("weekday", "is", 7)}), group("all", {comparison("travel_date", "is", "2026-02-30")}),
          group("all", {comparison("demand", "between", Value::array({9, 1}))}),
          group("all", {comparison("demand", "between", 9)}), Value("all"), comparison("demand", "is", 1)}) {
        CAPTURE(bad.dump().substr(0, 200));
        CHECK(fault_of(bad) == "conditions");
    }
}

TEST_CASE("five thousand rules on one date, each ten times the price, end at the limits") {
    std::vector<PricingRule> rules;
    for (std::int64_t id = 1; id <= 5000; ++id) {
        rules.push_back(rule(id, "seasonal", id % 2 ? "1000" : "-100"));
        rules.back().start_date = today;
    }
    for (const auto mode : {Policy::Mode::highest, Policy::Mode::cumulative, Policy::Mode::best}) {
        const Policy policy{.mode = mode};
        const Money found = priced(rules, "999999999999.99", {}, policy).price;
        CHECK(found >= usd("699999999999.99"));
        CHECK(found <= usd("1499999999999.99"));
    }
    for (PricingRule& each : rules)
        each.adjustment.rate = percent("1000");
    CHECK(price(rules, "100.00", {}, {.mode = Policy::Mode::cumulative}) == "150.00");
    for (PricingRule& each : rules)
        each.adjustment = {.type = "fixed", .currency = Currency::usd(), .amount = usd("-999999999999.99")};
    CHECK(price(rules, "100.00", {}, {.mode = Policy::Mode::cumulative}) == "70.00");
}

TEST_CASE("random rules on ten thousand dates: within the limits, never negative, and the reasons add up") {
    test::Random random;
    CAPTURE(random.seed);
    static constexpr const char* kinds[]{"early_bird", "last_minute", "demand", "inventory", "seasonal", "time_based"};
    for (int round = 0; round < 100; ++round) {
        Policy policy{.mode = static_cast<Policy::Mode>(random.between(0, 2)),
                      .maximum_markup = Rate{random.between(0, 10'000'000)},
                      .maximum_discount = Rate{random.between(0, 1'000'000)}};
        std::vector<PricingRule> rules;
        for (std::int64_t id = 1; id <= random.between(1, 12); ++id) {
            PricingRule made = rule(id, random.one_of(kinds), "10");
            made.adjustment.rate = Rate{random.between(-1'000'000, 10'000'000)};
            if (random.between(0, 3) == 0)
                made.adjustment = {.type = "fixed",
                                   .currency = Currency::usd(),
                                   .amount = Money{random.between(-20'000, 20'000), Currency::usd()}};
            made.min_days_before = random.between(0, 100);
            made.max_days_before = *made.min_days_before + random.between(0, 300);
            made.min_inventory = random.between(0, 8);
            made.max_inventory = random.between(9, 20);
            if (made.rule_type == "seasonal")
                made.start_date = today.plus_days(static_cast<std::int32_t>(random.between(0, 200)));
            made.priority = random.between(1, 3);
            rules.push_back(std::move(made));
        }
        const RuleSet set(rules, policy);
        const auto of_trip = set.of_trip(1);
        std::vector<Match> matches;
        for (int day = 0; day < 100; ++day) {
            const Money base{random.between(0, 10'000'000), Currency::usd()};
            const auto facts = facts_of(today.plus_days(day * 4), today, random.between(1, 9), 5, random.between(0, 20),
                                        20, random.between(0, 100));
            RuleSet::match(of_trip, facts, today, matches);
            const Explained explained = explain(base, matches, policy);
            const Money price = explained.price;
            REQUIRE(adjusted(base, matches, policy) == price);
            REQUIRE_FALSE(price.is_negative());
            if (explained.rules.empty()) {
                REQUIRE(price == base);
                continue;
            }
            const Money cent{1, Currency::usd()};
            REQUIRE(price <= base + base.share(policy.maximum_markup) + cent);
            REQUIRE(price >= base - base.share(policy.maximum_discount) - cent);
            Money sum = base;
            for (const RuleEffect& each : explained.rules)
                sum += each.delta;
            if (explained.capped == Explained::Capped::no)
                REQUIRE(max(sum, Money::zero(Currency::usd())) == price);
            else
                REQUIRE(sum != price);
        }
    }
}

TEST_CASE("a date's demand counts its seats for sixty parts and recent bookings for forty") {
    CHECK(score_of({.booked = 0, .capacity = 20}) == 0);
    CHECK(score_of({.booked = 20, .capacity = 20}) == 60);
    CHECK(score_of({.booked = 10, .capacity = 20, .recent = 1, .before = 4}) == 50);
    CHECK(score_of({.booked = 20, .capacity = 20, .recent = 9, .before = 4}) == 100);
    CHECK(score_of({.booked = 0, .capacity = 20, .recent = 3, .before = 24}) == 10);
}
