// The arguments of the pricing pipeline's steps: the result so far and the booking's context (spec 6.2).
#include "tests/base/sales/pricing/filters.hpp"

using namespace svc;
using namespace svc::tests;
using json::Value;

TEST_CASE(
    "each step of the pipeline receives the booking's context and the partial result, in the order of the steps") {
    Priced priced(money("100"), 2);
    priced.taxed({{"VAT", percent("10")}});
    priced.request.booking_id = 12;
    std::map<std::string, Value> results;
    std::vector<std::string> order;
    for (const char* name :
         {"svc_before_calculation_params", "svc_booking_trip_price", "svc_calculate_subtotal",
          "svc_booking_additional_services", "svc_calculate_payment_amounts", "svc_after_calculation_result"})
        REQUIRE(priced.filters.filter(
            name, {.name = "test"}, [&, step = std::string(name)](auto*, const json::Array& given) -> Value {
                if (order.empty() || order.back() != step)
                    order.push_back(step);
                CHECK(given.at(1)["trip_id"].integer() == 1);
                CHECK(given.at(1)["travel_date"].text() == "2026-06-10");
                CHECK(given.at(1)["booking_id"].integer() == 12);
                CHECK(given.back().is_object());
                results[step] = given.back();
                if (step == "svc_calculate_subtotal")
                    return json::Number{"180"};
                if (step == "svc_booking_additional_services")
                    return Value::array({Value::object({{"name", "Guide"}, {"calculated_price", 20}})});
                return given.front();
            }));
    const auto quote = priced.quote();
    CHECK(quote.total.decimal() == "220.00");
    CHECK(order == std::vector<std::string>{"svc_before_calculation_params", "svc_booking_trip_price",
                                            "svc_calculate_subtotal", "svc_booking_additional_services",
                                            "svc_calculate_payment_amounts", "svc_after_calculation_result"});
    CHECK(results["svc_before_calculation_params"].size() == 0);
    CHECK(results["svc_booking_trip_price"]["travelers_count"].integer() == 2);
    CHECK_FALSE(results["svc_booking_trip_price"].find("subtotal"));
    CHECK(results["svc_calculate_subtotal"]["base_amount"].number_text() == "200.00");
    CHECK(results["svc_booking_additional_services"]["subtotal"].number_text() == "180.00");
    CHECK(results["svc_booking_additional_services"]["discounted_subtotal"].number_text() == "180.00");
    CHECK_FALSE(results["svc_booking_additional_services"].find("final_total"));
    CHECK(results["svc_calculate_payment_amounts"]["services_total"].number_text() == "20.00");
    CHECK(results["svc_calculate_payment_amounts"]["final_total"].number_text() == "220.00");
    CHECK(results["svc_after_calculation_result"]["amount_due"].number_text() == "220.00");
    check_sums(quote);
}
