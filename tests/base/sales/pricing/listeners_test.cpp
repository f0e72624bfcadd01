// Listeners of the price that answer badly: no sum moves, and lines add up whatever they say.
#include <doctest/doctest.h>

#include "base/platform/events/events.hpp"
#include "base/platform/store/migrate.hpp"
#include "base/sales/pricing/hooks.hpp"
#include "base/sales/pricing/quote.hpp"
#include "base/sales/pricing/wire.hpp"
#include "tests/support/databases.hpp"
#include "tests/support/random.hpp"
#include "tests/support/set_clock.hpp"

using namespace svc;
using json::Value;
using pricing::Quote;

namespace {

struct Counter {
    Counter() {
        pricing::declare_hooks(hooks);
        trip.id = 5;
        trip.title = "Nile";
    }

    Result<Quote> quote(const catalog::trips::PricePair& price, std::int64_t travelers,
                        const std::string& method = "full") {
        trip.currency = price.regular.currency();
        return pricing.quote(trip, {.price = price,
                                    .travel_date = Date::parse("2027-03-01").value(),
                                    .departure_time = {},
                                    .travelers = travelers,
                                    .payment_method = method});
    }
    Result<Quote> quote(const char* amount, const char* currency, std::int64_t travelers) {
        return quote({.regular = money(amount, currency), .lowered = {}}, travelers);
    }
    static Money money(const char* amount, const char* currency) {
        return Money::parse(amount, Currency::parse(currency).value()).value();
    }
    void listen(std::string_view filter, hooks::FilterCall call) {
        REQUIRE(hooks.filter(filter, {.name = "test"}, std::move(call)));
    }
    void answers(std::string_view filter, Value value) {
        listen(filter, [value = std::move(value)](store::Transaction*, const json::Array&) { return value; });
    }

    std::unique_ptr<tests::Database> database = tests::Database::sqlite();
    std::unique_ptr<store::Store> store = database->open();
    tests::SetClock clock;
    metrics::Registry metrics;
    events::Events hooks{*store, clock, metrics, {.process = "pricing"}};
    pricing::Pricing pricing{hooks};
    catalog::trips::Trip trip;
};

Money sum_of_lines(const Quote& quote) {
    Money sum = Money::zero(quote.total.currency());
    for (const auto& line : quote.lines)
        sum += line.amount;
    return sum;
}

// Invariants of every quote, for any answers on the way.
void check_whole(const Quote& quote) {
    const Money nothing = Money::zero(quote.total.currency());
    CHECK(sum_of_lines(quote) == quote.total);
    CHECK(quote.subtotal + quote.services == quote.total);
    CHECK(quote.total >= nothing);
    CHECK(quote.amount_due <= quote.total);
    CHECK(quote.amount_due.is_zero() == quote.total.is_zero());
    CHECK_FALSE(quote.amount_due.is_negative());
    CHECK(quote.shown["final_total"] == Value(quote.total));
    CHECK(quote.shown["amount_due"] == Value(quote.amount_due));
}

}  // namespace

TEST_CASE("lines add up to the total in currencies of no, two and three decimals") {
    test::Random random;
    CAPTURE(random.seed);
    const std::vector<std::string> currencies{"JPY", "USD", "KWD"};
    for (int round = 0; round < 300; ++round) {
        Counter counter;
        const auto currency = Currency::parse(random.one_of(currencies)).value();
        Value services = Value::array();
        for (std::int64_t n = random.between(0, 4); n > 0; --n)
            services.push(
                Value::object({{"name", "s"},
                               {"quantity", random.between(-2, 5)},
                               {"calculated_price", json::Number{std::to_string(random.between(-500, 90'000)) + "." +
                                                                 std::to_string(random.between(0, 99'999))}}}));
        if (random.between(0, 1) == 1)
            counter.answers("svc_booking_additional_services", services);
        if (random.between(0, 2) == 0)
            counter.answers("svc_booking_trip_price",
                            json::Number{std::to_string(random.between(-100, 9'999)) + ".12345"});
        if (random.between(0, 2) == 0)
            counter.answers("svc_calculate_subtotal",
                            json::Number{std::to_string(random.between(-100, 9'999)) + ".555"});
        if (random.between(0, 2) == 0)
            counter.answers("svc_calculate_amount_due", json::Number{std::to_string(random.between(-100, 99'999))});
        const catalog::trips::PricePair price{.regular = Money{random.between(0, 9'999'999), currency}, .lowered = {}};
        const auto quote = counter.quote(price, random.between(1, 40));
        REQUIRE(quote);
        check_whole(*quote);
    }
}

TEST_CASE("a listener's nonsense changes no sum") {
    const std::vector<Value> nonsense{Value(),
                                      Value("free"),
                                      Value(true),
                                      Value::array({1, "x", Value()}),
                                      Value::object({{"full", "a lot"}, {"travelers_count", "many"}}),
                                      Value::object({{"full", Value()}, {"travelers_count", 0}}),
                                      Value::object({{"full", json::Number{"1e400"}}, {"travelers_count", -3}}),
                                      json::Number{"99999999999999999999999"},
                                      json::Number{"1e400"}};
    const Counter known;
    for (const auto& filter : known.hooks.filters())
        for (const Value& answer : nonsense) {
            CAPTURE(filter.name);
            CAPTURE(answer.dump());
            Counter counter;
            counter.answers(filter.name, answer);
            const auto quote = counter.quote("199.99", "USD", 2);
            REQUIRE(quote);
            check_whole(*quote);
            CHECK(quote->total.decimal() == "399.98");
            CHECK(quote->amount_due.decimal() == "399.98");
        }
}

TEST_CASE("a listener that throws changes no sum, a negative answer is nothing") {
    const Counter known;
    for (const auto& filter : known.hooks.filters()) {
        CAPTURE(filter.name);
        Counter counter;
        counter.listen(filter.name,
                       [](store::Transaction*, const json::Array&) -> Value { throw std::runtime_error("broken"); });
        CHECK(counter.quote("199.99", "USD", 2).value().total.decimal() == "399.98");
    }
    for (const char* filter : {"svc_availability_price", "svc_booking_trip_price", "svc_calculate_subtotal"}) {
        CAPTURE(filter);
        Counter counter;
        counter.answers(filter, -5);
        const auto quote = counter.quote("199.99", "USD", 2).value();
        check_whole(quote);
        CHECK(quote.total.is_zero());
    }
    Counter counter;
    counter.answers("svc_calculate_amount_due", -5);
    CHECK(counter.quote("199.99", "USD", 2).value().amount_due.decimal() == "0.01");
}

TEST_CASE("sums that a listener writes into the result are ours again, its own members stay") {
    Counter counter;
    counter.answers("svc_after_calculation_result", Value::object({{"final_total", 1}, {"miles", 300}}));
    const auto quote = counter.quote("199.99", "USD", 2).value();
    check_whole(quote);
    CHECK(quote.shown["miles"] == Value(300));
}

TEST_CASE("a listener's sum is spread over the lines with what one of each costs") {
    Counter counter;
    counter.answers("svc_calculate_subtotal", 120);
    const auto quote = counter.quote("100", "USD", 2).value();
    check_whole(quote);
    CHECK(quote.lines[0].amount.decimal() == "120.00");
    CHECK(quote.lines[0].unit_price.decimal() == "60.00");
    CHECK(quote.unit_price.decimal() == "60.00");
    CHECK(quote.shown["unit_price"].number_text() == "60.00");
}

TEST_CASE("the last word on discounts may give one where there is none, within what there is to take") {
    for (const auto& [answer, left] : {std::pair{R"({"group_discount":15,"coupon_discount":5})", "180.00"},
                                       {R"({"coupon_discount":5})", "195.00"},
                                       {R"({"group_discount":500,"coupon_discount":500})", "0.00"},
                                       {R"({"group_discount":"15","coupon_discount":-5})", "200.00"}}) {
        CAPTURE(answer);
        Counter counter;
        counter.answers("svc_pricing_after_discount_stack", json::parse(answer).value());
        const auto quote = counter.quote("100", "USD", 2).value();
        CHECK(sum_of_lines(quote) == quote.total);
        CHECK(quote.discounted.decimal() == left);
        CHECK(quote.subtotal.decimal() == "200.00");
    }
}

TEST_CASE("the amounts of payment methods are filtered like the rest: the value, then the context") {
    Counter counter;
    counter.listen("svc_calculate_payment_amounts", [](store::Transaction*, const json::Array& given) -> Value {
        CHECK(given.at(1)["trip_id"] == Value(5));
        CHECK(given.at(2).number_text() == "200.00");
        return given[0];
    });
    CHECK(counter.quote("100", "USD", 2));
}

TEST_CASE("what a listener chooses and cannot be had leaves what was asked for") {
    for (const char* answer : {R"({"payment_method":"zz"})", R"({"selected_services":{"9":1}})",
                               R"({"selected_services":[9]})", R"({"travelers_count":1000000000000000})",
                               R"({"travelers_count":10001})", R"({"travelers_count":2.5,"payment_method":7})"}) {
        CAPTURE(answer);
        Counter counter;
        counter.answers("svc_before_calculation_params", json::parse(answer).value());
        const auto quote = counter.quote("100", "USD", 2);
        REQUIRE(quote);
        check_whole(*quote);
        CHECK(quote->travelers == 2);
        CHECK(quote->payment_method == "full");
        CHECK(quote->total.decimal() == "200.00");
    }
}

TEST_CASE("what is due and the amount of the chosen method are one sum") {
    Counter counter;
    counter.answers("svc_calculate_amount_due", 5);
    const auto quote = counter.quote("100", "USD", 2).value();
    check_whole(quote);
    const Value& full = quote.shown["payment_methods"][0];
    CHECK(full["amount"].number_text() == "5.00");
    CHECK(full["balance"].number_text() == "195.00");
}

TEST_CASE("a result that lacks what pages read, or has it of another kind, is shown with ours") {
    for (const char* answer :
         {"{}", R"({"lines":["x",5],"payment_methods":[7],"traveler_counts":"none","travel_date":5,"trip_id":"x"})",
          R"({"lines":5,"coupon_discount":7,"group_discount":[],"additional_services":"x"})"}) {
        CAPTURE(answer);
        Counter counter;
        counter.answers("svc_after_calculation_result", json::parse(answer).value());
        const auto quote = counter.quote("100", "USD", 2).value();
        check_whole(quote);
        CHECK(quote.shown["traveler_counts"].dump() == R"({"0":2})");
        CHECK(quote.shown["travel_date"].text() == "2027-03-01");
        CHECK(quote.shown["trip_id"] == Value(5));
        CHECK(quote.shown["lines"].is_array());
        CHECK(quote.shown["additional_services"].is_array());
        for (const char* list : {"lines", "payment_methods"})
            for (const Value& one : quote.shown[list].items())
                CHECK(one["amount"].is_number());
        CHECK(pricing::summary_of(quote, {})["pricing_html"].is_string());
    }
    for (const auto& [filter, answer] : {std::pair{"svc_price_breakdown", R"(["x",5,{"label":7,"amount":1},{}])"},
                                         {"svc_payment_method_options", R"([7,{"id":"full"}])"}}) {
        CAPTURE(filter);
        Counter counter;
        counter.answers(filter, json::parse(answer).value());
        const auto quote = counter.quote("100", "USD", 2).value();
        CHECK(quote.shown[std::string_view(filter) == "svc_price_breakdown" ? "lines" : "payment_methods"].size() == 0);
        CHECK(pricing::summary_of(quote, {})["pricing_html"].is_string());
    }
}

TEST_CASE("the services that a booking keeps are those that were priced, whatever is shown") {
    Counter counter;
    counter.answers("svc_booking_additional_services",
                    json::parse(R"([{"id":7,"name":"Transfer","quantity":1,"calculated_price":20}])").value());
    counter.answers("svc_after_calculation_result", Value::object({{"additional_services", Value::array()}}));
    const auto quote = counter.quote("100", "USD", 2).value();
    CHECK(quote.total.decimal() == "220.00");
    CHECK(quote.shown["additional_services"].size() == 0);
    CHECK(quote.services_sold[0]["id"] == Value(7));
}
