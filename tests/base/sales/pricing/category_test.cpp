// Prices by traveler category: the worked examples, and what each category takes.
#include <doctest/doctest.h>

#include "base/sales/pricing/quote.hpp"
#include "tests/support/shop.hpp"

using namespace svc;
using catalog::trips::PriceType;
using catalog::trips::Trip;
using tests::each_shop;
using tests::Shop;

namespace {

Money money(const char* decimal) { return Money::parse(decimal, Currency::usd()).value(); }

PriceType type(std::int64_t id, const char* label, const char* price, const char* discounted = "") {
    PriceType type{.category_id = id,
                   .regular = money(price),
                   .discounted = {},
                   .sale = {},
                   .min_quantity = {},
                   .max_quantity = {},
                   .valid_from = {},
                   .valid_to = {},
                   .category = {}};
    type.category.label = label;
    if (*discounted)
        type.discounted = money(discounted);
    return type;
}

PriceType group(std::int64_t id, const char* price, int most, bool per_block) {
    PriceType group = type(id, "Group", price);
    group.category.per_group = true;
    group.category.max_pax = most;
    group.category.per_block = per_block;
    return group;
}

Trip trip_of(std::vector<PriceType> types) {
    Trip trip;
    trip.id = 1;
    trip.title = "Nile cruise";
    trip.traveler_based = true;
    trip.price_types = std::move(types);
    trip.price_types.front().is_default = true;
    return trip;
}

Result<pricing::Quote> quoted(const pricing::Pricing& pricing, const Trip& trip, pricing::TravelerCounts counts) {
    std::int64_t people = 0;
    for (const auto& [id, count] : counts)
        people += count;
    return pricing.quote(trip, {.price = price_of(trip),
                                .travel_date = Date::from(2026, 6, 10),
                                .departure_time = std::nullopt,
                                .travelers = people,
                                .payment_method = "full",
                                .traveler_counts = std::move(counts)});
}

std::string answer(const Result<pricing::Quote>& quote) {
    return quote ? quote->total.decimal() : std::string(quote.error().code().name);
}

}  // namespace

TEST_CASE("two adults at 99.90 and three children at 59.95 are 379.65, a line each") {
    each_shop([](Shop& shop) {
        const Trip trip = trip_of({type(1, "Adult", "120.00", "99.90"), type(2, "Child", "59.95")});
        const auto quote = quoted(shop.pricing, trip, {{1, 2}, {2, 3}}).value();
        CHECK(quote.total == money("379.65"));
        REQUIRE(quote.lines.size() == 2);
        CHECK(quote.lines[0].label == "Adult");
        CHECK(quote.lines[0].amount == money("199.80"));
        CHECK(quote.lines[1].quantity == 3);
        CHECK(quote.shown["is_traveler_based"].boolean());
        CHECK(quote.shown["traveler_counts"].dump() == R"({"1":2,"2":3})");
        CHECK(quote.shown["lines"][1]["category_id"].integer() == 2);
        CHECK(quote.travelers == 5);
    });
}

TEST_CASE("a group of two costs 350.00 for one or two people and takes no third") {
    each_shop([](Shop& shop) {
        const Trip trip = trip_of({group(1, "350.00", 2, false)});
        CHECK(answer(quoted(shop.pricing, trip, {{1, 1}})) == "350.00");
        CHECK(answer(quoted(shop.pricing, trip, {{1, 2}})) == "350.00");
        CHECK(answer(quoted(shop.pricing, trip, {{1, 3}})) == "group_size");
    });
}

TEST_CASE("nine people in blocks of four pay 500.00 three times") {
    each_shop([](Shop& shop) {
        const Trip trip = trip_of({group(1, "500.00", 4, true)});
        const auto quote = quoted(shop.pricing, trip, {{1, 9}}).value();
        CHECK(quote.total == money("1500.00"));
        CHECK(quote.lines[0].quantity == 3);
        CHECK(quote.lines[0].people == 9);
        CHECK(quote.travelers == 9);
    });
}

TEST_CASE("a category takes up to its maximum, on its own dates, and only those of the trip are sold") {
    each_shop([](Shop& shop) {
        PriceType child = type(2, "Child", "50");
        child.max_quantity = 2;
        PriceType guide = type(3, "Guide", "0");
        guide.min_quantity = 1;
        PriceType late = type(4, "Late", "10");
        late.valid_from = Date::from(2026, 6, 11);
        PriceType crew = group(5, "90", 6, false);
        crew.category.min_pax = 3;
        const Trip trip = trip_of({type(1, "Adult", "100"), child, guide, late, crew});
        const auto asked = [&](pricing::TravelerCounts counts) { return answer(quoted(shop.pricing, trip, counts)); };
        CHECK(asked({{1, 1}, {3, 1}}) == "100.00");
        CHECK(asked({{1, 1}}) == "group_size");  // no guide
        CHECK(asked({{1, 1}, {2, 3}, {3, 1}}) == "group_size");
        CHECK(asked({{3, 1}, {5, 2}}) == "group_size");
        CHECK(asked({{3, 1}, {5, 3}}) == "90.00");
        CHECK(asked({{3, 1}, {4, 1}}) == "svc_validation_error");
        CHECK(asked({{3, 1}, {77, 1}}) == "svc_validation_error");
        CHECK(asked({}) == "svc_validation_error");
    });
}

TEST_CASE("a listener is asked for each category's price, and the sum it changes is spread over the lines") {
    each_shop([](Shop& shop) {
        const Trip trip = trip_of({type(1, "Adult", "100"), type(2, "Child", "50")});
        REQUIRE(shop.hooks.filter("svc_booking_trip_price", {.name = "test"},
                                  [](store::Transaction*, const json::Array& given) -> json::Value {
                                      return given[1]["category_id"].integer() == 2 ? json::Value(json::Number{"30"})
                                                                                    : given[0];
                                  }));
        CHECK(answer(quoted(shop.pricing, trip, {{1, 1}, {2, 2}})) == "160.00");
        REQUIRE(shop.hooks.filter("svc_calculate_subtotal", {.name = "test"},
                                  [](store::Transaction*, const json::Array&) { return json::Number{"80"}; }));
        const auto quote = quoted(shop.pricing, trip, {{1, 1}, {2, 2}}).value();
        CHECK(quote.total == money("80.00"));
        CHECK(quote.lines[0].amount == money("50.00"));
        CHECK(quote.lines[1].amount == money("30.00"));
    });
}
