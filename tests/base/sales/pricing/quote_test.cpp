// Prices: the worked examples with their numbers, and what holds for every price.
#include "base/sales/pricing/quote.hpp"

#include <doctest/doctest.h>

#include "base/sales/pricing/wire.hpp"
#include "tests/base/sales/pricing/filters.hpp"
#include "tests/support/random.hpp"
#include "tests/support/shop.hpp"

using namespace svc;
using catalog::trips::PricePair;
using catalog::trips::Trip;
using tests::Filters;
using tests::money;

namespace {

Trip trip_at(const Money& price) {
    Trip trip;
    trip.id = 1;
    trip.title = "Nile cruise";
    trip.currency = price.currency();
    trip.regular_price = price;
    return trip;
}

pricing::Request asked(const PricePair& price, std::int64_t travelers, const char* method = "full") {
    return {.price = price,
            .travel_date = Date::from(2026, 6, 10),
            .departure_time = std::nullopt,
            .travelers = travelers,
            .payment_method = method};
}

// A listener that answers the same whatever it is asked.
void answering(Filters& filters, const char* name, const char* json) {
    REQUIRE(filters.filter(name, {.name = "test"},
                           [value = json::parse(json).value()](auto*, const auto&) { return value; }));
}

std::string code(const Result<pricing::Quote>& quote) {
    return quote ? "quoted" : std::string(quote.error().code().name);
}

}  // namespace

TEST_CASE("two travelers at 199.99 are 399.98, all of it due") {
    Filters filters;
    const auto trip = trip_at(money("199.99"));
    const auto quote = pricing::Pricing(filters).quote(trip, asked(price_of(trip), 2)).value();
    CHECK(quote.subtotal == money("399.98"));
    CHECK(quote.total == money("399.98"));
    CHECK(quote.amount_due == money("399.98"));
    REQUIRE(quote.lines.size() == 1);
    CHECK(quote.lines[0].quantity == 2);
    CHECK(quote.lines[0].unit_price == money("199.99"));
    CHECK(quote.shown["final_total"].number_text() == "399.98");
    CHECK(quote.shown["currency"].text() == "USD");
}

TEST_CASE("a departure's pair replaces both prices of the trip: 260 over 200/150 is 520 for two") {
    Filters filters;
    auto trip = trip_at(money("200"));
    trip.sale_price = money("150");
    const pricing::Pricing pricing(filters);
    CHECK(pricing.quote(trip, asked(price_of(trip), 2)).value().total == money("300"));
    CHECK(pricing.quote(trip, asked({money("260"), std::nullopt}, 2)).value().total == money("520"));
    CHECK(pricing.quote(trip, asked({money("260"), money("240")}, 2)).value().total == money("480"));
}

TEST_CASE("of a total of 320 nobody pays 500: what is due is cut at the total") {
    Filters filters;
    answering(filters, "svc_calculate_payment_amounts", R"({"full":320,"deposit":500})");
    const auto trip = trip_at(money("160"));
    const auto quote = pricing::Pricing(filters).quote(trip, asked(price_of(trip), 2, "deposit")).value();
    CHECK(quote.total == money("320"));
    CHECK(quote.amount_due == money("320"));
    REQUIRE(quote.options.size() == 2);
    CHECK(quote.options[1].balance.is_zero());
}

TEST_CASE("what costs nothing has nothing due") {
    Filters filters;
    answering(filters, "svc_calculate_subtotal", "0");
    const auto trip = trip_at(money("120"));
    const auto quote = pricing::Pricing(filters).quote(trip, asked(price_of(trip), 1)).value();
    CHECK(quote.total.is_zero());
    CHECK(quote.amount_due.is_zero());
    REQUIRE(quote.lines.size() == 1);
    CHECK(quote.lines[0].amount.is_zero());
}

TEST_CASE("without flexible payments the full amount alone is offered") {
    Filters filters;
    const auto trip = trip_at(money("100"));
    const pricing::Pricing pricing(filters);
    for (const char* method : {"deposit", "partial"})
        CHECK(code(pricing.quote(trip, asked(price_of(trip), 1, method))) == "payment_method_unavailable");
    const auto offered = pricing.quote(trip, asked(price_of(trip), 1)).value().options;
    REQUIRE(offered.size() == 1);
    CHECK(offered[0].id == "full");
}

TEST_CASE("a party smaller or larger than the trip allows is refused with the bound") {
    Filters filters;
    auto trip = trip_at(money("100"));
    trip.min_travelers = 2;
    trip.max_travelers = 6;
    const pricing::Pricing pricing(filters);
    for (const auto& [travelers, expected] :
         {std::pair(1, "group_size"), std::pair(2, "quoted"), std::pair(6, "quoted"), std::pair(7, "group_size")})
        CHECK(code(pricing.quote(trip, asked(price_of(trip), travelers))) == expected);
    const auto small = pricing.quote(trip, asked(price_of(trip), 1)),
               large = pricing.quote(trip, asked(price_of(trip), 7));
    CHECK(small.error().data().front() == std::pair<std::string, std::string>("min_travelers", "2"));
    CHECK(large.error().data().front() == std::pair<std::string, std::string>("max_travelers", "6"));
}

TEST_CASE("the pipeline asks its filters in the interface's order") {
    Filters filters;
    const auto trip = trip_at(money("100"));
    REQUIRE(pricing::Pricing(filters).quote(trip, asked(price_of(trip), 1)));
    std::vector<std::string> named;
    for (const auto& name : filters.asked)
        for (const char* of_the_interface :
             {"svc_before_calculation_params", "svc_booking_trip_price", "svc_calculate_subtotal",
              "svc_booking_additional_services", "svc_calculate_payment_amounts", "svc_calculate_amount_due",
              "svc_after_calculation_result"})
            if (name == of_the_interface)
                named.push_back(name);
    const std::vector<std::string> expected{"svc_before_calculation_params", "svc_booking_trip_price",
                                            "svc_calculate_subtotal",        "svc_booking_additional_services",
                                            "svc_calculate_payment_amounts", "svc_calculate_amount_due",
                                            "svc_after_calculation_result"};
    CHECK(named == expected);
}

TEST_CASE("listeners are told the date and who books, and choose country and services otherwise") {
    Filters filters;
    const auto trip = trip_at(money("100"));
    json::Value told, asked_services, answer;
    REQUIRE(filters.filter("svc_before_calculation_params", {.name = "test"}, [&](auto*, const json::Array& given) {
        told = given.front();
        return answer;
    }));
    REQUIRE(filters.filter("svc_booking_additional_services", {.name = "test"}, [&](auto*, const json::Array& given) {
        asked_services = given[1];
        return json::Value::array({json::Value::object(
            {{"id", 7}, {"name", "Transfer"}, {"quantity", 2}, {"unit_price", 10}, {"calculated_price", 20}})});
    }));
    auto request = asked(price_of(trip), 1);
    request.departure_id = 12;
    request.email = "ada@example.org";
    request.country = "DE";
    const auto priced_with = [&](json::Value changed) {
        answer = std::move(changed);
        REQUIRE(pricing::Pricing(filters).quote(trip, request));
        return asked_services["selected_services"].dump() + asked_services["country"].dump();
    };
    CHECK(priced_with(json::Value::object()) == R"({}"DE")");
    CHECK(told["availability_id"].integer() == 12);
    CHECK(told["customer"].dump() == R"({"user_id":null,"email":"ada@example.org"})");
    CHECK(priced_with(json::parse(R"({"country":"FR","selected_services":{"7":2}})").value()) == R"({"7":2}"FR")");
    CHECK(priced_with(json::parse(R"({"selected_services":[7]})").value()) == R"({"7":1}"DE")");
    for (const char* unreadable : {R"({"selected_services":"7"})", R"({"selected_services":{"x":1}})",
                                   R"({"selected_services":[0]})", R"({"country":49})"})
        CHECK(priced_with(json::parse(unreadable).value()) == R"({}"DE")");
}

TEST_CASE("what listeners answer is rounded to the currency and never negative, and cannot break the sums") {
    const auto total = [](const char* filter, const char* answer, const char* currency = "USD") {
        Filters filters;
        answering(filters, filter, answer);
        const auto trip = trip_at(money("100", currency));
        const auto quote = pricing::Pricing(filters).quote(trip, asked(price_of(trip), 3)).value();
        return quote.total.decimal() + " due " + quote.amount_due.decimal() + " shown " +
               quote.shown["final_total"].number_text();
    };
    CHECK(total("svc_booking_trip_price", "99.995") == "300.00 due 300.00 shown 300.00");
    CHECK(total("svc_booking_trip_price", "99.5", "JPY") == "300 due 300 shown 300");
    CHECK(total("svc_booking_trip_price", "-5") == "0.00 due 0.00 shown 0.00");
    CHECK(total("svc_calculate_subtotal", "250.004") == "250.00 due 250.00 shown 250.00");
    CHECK(total("svc_calculate_amount_due", "1000") == "300.00 due 300.00 shown 300.00");
    CHECK(total("svc_calculate_amount_due", "0") == "300.00 due 0.01 shown 300.00");
    CHECK(total("svc_calculate_amount_due", "-1") == "300.00 due 0.01 shown 300.00");
    CHECK(total("svc_after_calculation_result", R"({"final_total":1,"note":"x"})") == "300.00 due 300.00 shown 300.00");
    CHECK(total("svc_booking_additional_services", R"([{"name":"Transfer","calculated_price":25.5},{"name":"?"}])") ==
          "325.50 due 325.50 shown 325.50");
    CHECK(total("svc_calculate_subtotal", R"("three hundred")") == "300.00 due 300.00 shown 300.00");
}

TEST_CASE("lines add up to the total in every currency, and what is due lies between one unit and the total") {
    test::Random random;
    CAPTURE(random.seed);
    const char* currencies[] = {"USD", "EUR", "JPY", "KRW", "KWD", "BHD"};
    for (int round = 0; round < 2000; ++round) {
        const char* currency = random.one_of(currencies);
        const auto unit_of = [&] { return Money{random.between(0, 5'000'000), Currency::parse(currency).value()}; };
        Filters filters;
        if (random.between(0, 1))
            answering(filters, "svc_booking_trip_price", unit_of().decimal().c_str());
        if (random.between(0, 3) == 0)
            answering(filters, "svc_calculate_subtotal", unit_of().decimal().c_str());
        if (random.between(0, 1))
            answering(filters, "svc_booking_additional_services",
                      (R"([{"name":"A","quantity":3,"calculated_price":)" + unit_of().decimal() +
                       R"(},{"name":"B","calculated_price":)" + unit_of().decimal() + "}]")
                          .c_str());
        if (random.between(0, 1))
            answering(filters, "svc_calculate_amount_due", unit_of().decimal().c_str());
        const auto trip = trip_at(unit_of());
        const auto quote = pricing::Pricing(filters).quote(trip, asked(price_of(trip), random.between(1, 40))).value();
        CAPTURE(currency);
        CAPTURE(quote.shown.dump());
        Money sum = Money::zero(trip.currency);
        for (const auto& line : quote.lines)
            sum += line.amount;
        CHECK(sum == quote.total);
        CHECK(quote.subtotal + quote.services == quote.total);
        CHECK(quote.amount_due <= quote.total);
        CHECK(quote.amount_due.is_zero() == quote.total.is_zero());
        CHECK_FALSE(quote.amount_due.is_negative());
        CHECK(Money::parse(quote.shown["amount_due"].number_text(), trip.currency).value() == quote.amount_due);
        for (const auto& option : quote.options)
            CHECK(option.amount + option.balance == quote.total);
    }
}
