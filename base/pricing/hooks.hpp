// The filters of the price, in the order they are asked (spec 6.2, docs/rules.md).
#pragma once

#include "base/availability/hooks.hpp"
#include "shared/hooks/hooks.hpp"

namespace svc::pricing {

inline const hooks::Filter before_calculation_params{
    "svc_before_calculation_params",
    "3.0.0",
    "What a price is computed from: trip_id, travel_date, departure_time, travelers_count, payment_method. Only"
    " travelers_count and payment_method are taken back, for the price, the seats and the booking alike.",
    json::Kind::object,
    {"context"}};
using availability::availability_price;
inline const hooks::Filter booking_trip_price{"svc_booking_trip_price",
                                              "3.0.0",
                                              "The unit price of a booking; negative answers count as zero.",
                                              json::Kind::number,
                                              {"context"}};
inline const hooks::Filter calculate_subtotal{
    "svc_calculate_subtotal", "3.0.0", "The sum of the travelers' lines.", json::Kind::number, {"context"}};
inline const hooks::Filter booking_additional_services{
    "svc_booking_additional_services",
    "3.0.0",
    "Services added to the price: objects with id, name, quantity, unit_price and calculated_price.",
    json::Kind::array,
    {"context"}};
inline const hooks::Filter calculate_payment_amounts{
    "svc_calculate_payment_amounts",
    "3.0.0",
    "What each payment method asks for now: full, deposit, partial. Members that are left out are not offered.",
    json::Kind::object,
    {"total", "context"}};
inline const hooks::Filter calculate_amount_due{"svc_calculate_amount_due",
                                                "3.0.0",
                                                "What is asked for at checkout, between one minor unit and the total.",
                                                json::Kind::number,
                                                {"total_amount", "payment_method", "context"}};
inline const hooks::Filter payment_method_options{
    "svc_payment_method_options",
    "3.0.0",
    "The payment methods shown, each with its amount now and its balance.",
    json::Kind::array,
    {"booking_data"}};
inline const hooks::Filter price_breakdown{"svc_price_breakdown",
                                           "3.0.0",
                                           "The lines of a price as they are shown; sums are not taken back.",
                                           json::Kind::array,
                                           {"context"}};
inline const hooks::Filter after_calculation_result{
    "svc_after_calculation_result",
    "3.0.0",
    "The whole result as it is shown; members added stay, sums are not taken back.",
    json::Kind::object,
    {"context"}};

inline void declare_hooks(hooks::Hooks& hooks) {
    for (const hooks::Filter& filter :
         {before_calculation_params, availability_price, booking_trip_price, calculate_subtotal,
          booking_additional_services, calculate_payment_amounts, calculate_amount_due, payment_method_options,
          price_breakdown, after_calculation_result})
        hooks.declare(filter);
}

}  // namespace svc::pricing
