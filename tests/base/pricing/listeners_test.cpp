// Listeners of the price that answer badly: no sum moves, and lines add up whatever they say.
#include <doctest/doctest.h>

#include "base/platform/events/events.hpp"
#include "base/platform/store/migrate.hpp"
#include "base/pricing/hooks.hpp"
#include "base/pricing/quote.hpp"
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

// What every quote keeps, whatever was answered on the way.
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
