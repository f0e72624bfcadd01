// The filters of the price, in the order of their application (spec 6.2, docs/rules.md).
#pragma once

#include <array>

#include "base/sales/availability/record/hooks.hpp"
#include "shared/hooks/hooks.hpp"

namespace svc::pricing {

inline const hooks::Filter before_calculation_params{
    "svc_before_calculation_params",
    "What a price is computed from: trip_id, travel_date, departure_time, availability_id, travelers_count,"
    " traveler_counts, selected_services, coupon_code, payment_method, country, customer (user_id and email, once "
    "known)."
    " travelers_count, selected_services, payment_method, country and coupon_code are taken back, for the price, the"
    " seats and the booking alike; a code that does not count leaves the typed one, null takes it away.",
    json::Kind::object,
    {"context", "result"},
    R"({"travelers_count": 1, "payment_method": "", "country": ""})"};
inline const hooks::Filter summary_calculation_params{
    "svc_summary_calculation_params",
    "Like svc_before_calculation_params and applied before it, only for summaries.",
    json::Kind::object,
    {"context", "result"},
    R"({"travelers_count": 1, "payment_method": "", "country": ""})"};
inline const hooks::Filter session_calculation_params{
    "svc_session_calculation_params",
    "Like svc_before_calculation_params, for prices in answers about a checkout session.",
    json::Kind::object,
    {"context", "result"},
    R"({"travelers_count": 1, "payment_method": "", "country": ""})"};
using availability::availability_price;
inline const hooks::Filter booking_trip_price{"svc_booking_trip_price",
                                              "The unit price of a booking; negative results count as zero.",
                                              json::Kind::number,
                                              {"context", "result"}};
inline const hooks::Filter calculate_base_amount{"svc_calculate_base_amount",
                                                 "The sum of the traveler lines, before svc_calculate_subtotal.",
                                                 json::Kind::number,
                                                 {"context", "result"}};
inline const hooks::Filter calculate_subtotal{
    "svc_calculate_subtotal", "The subtotal of travelers before discounts.", json::Kind::number, {"context", "result"}};
inline const hooks::Filter calculate_group_discount{"svc_calculate_group_discount",
                                                    "The group discount, at most the subtotal.",
                                                    json::Kind::number,
                                                    {"context", "result"}};
inline const hooks::Filter calculate_coupon_discount{"svc_calculate_coupon_discount",
                                                     "The coupon discount, at most the subtotal after group discounts.",
                                                     json::Kind::number,
                                                     {"context", "result"}};
inline const hooks::Filter after_discount_stack{"svc_pricing_after_discount_stack",
                                                "All discounts: subtotal, group_discount, "
                                                "coupon_discount. Only changes of the two discounts apply.",
                                                json::Kind::object,
                                                {"context", "result"},
                                                R"({"subtotal": 0.5, "group_discount": 0.5, "coupon_discount": 0.5})"};
inline const hooks::Filter booking_additional_services{
    "svc_booking_additional_services",
    "Services added to the price: objects with id, name, quantity, unit_price, calculated_price and taxable (true). "
    "Where"
    " the context has offered, also those that can be chosen, with quantity 0.",
    json::Kind::array,
    {"context", "result"},
    R"([{"name": "", "price_type": "", "quantity": 1, "unit_price": 0.5, "calculated_price": 0.5, "taxable": true}])"};
inline const hooks::Filter booking_services_total{
    "svc_booking_services_total", "The total of services.", json::Kind::number, {"context", "result"}};
inline const hooks::Filter booking_itinerary_costs{
    "svc_booking_itinerary_costs",
    "Charges of the itinerary: objects with id, name, price, price_per, quantity, total_cost and day_number.",
    json::Kind::array,
    {"context", "result"},
    R"([{"name": "", "price_per": "", "quantity": 1, "price": 0.5, "total_cost": 0.5}])"};
inline const hooks::Filter calculate_final_total{"svc_calculate_final_total",
                                                 "The booking's total; a price line shows the difference.",
                                                 json::Kind::number,
                                                 {"context", "result"}};
inline const hooks::Filter deposit_percentage{
    "svc_deposit_percentage", "The deposit in percent of the total.", json::Kind::number, {"context"}};
inline const hooks::Filter partial_payment_percentage{
    "svc_partial_payment_percentage", "The part payment in percent of the total.", json::Kind::number, {"context"}};
inline const hooks::Filter calculate_payment_amounts{
    "svc_calculate_payment_amounts",
    "The amount due now by payment option: full, deposit, partial. Omitted options are unavailable.",
    json::Kind::object,
    {"context", "total", "result"}};
inline const hooks::Filter calculate_amount_due{"svc_calculate_amount_due",
                                                "The amount due at checkout, between one minor unit and the total.",
                                                json::Kind::number,
                                                {"total_amount", "payment_method", "context", "result"}};
inline const hooks::Filter payment_method_options{
    "svc_payment_method_options",
    "The payment options, each with amount due now and balance.",
    json::Kind::array,
    {"booking_data", "result"},
    R"([{"id": "", "label": "", "description": "", "amount": 0.5, "balance": 0.5}])"};
inline const hooks::Filter price_breakdown{
    "svc_price_breakdown",
    "The displayed price lines; does not change the sums.",
    json::Kind::array,
    {"context", "result"},
    R"([{"kind": "", "label": "", "quantity": 1, "unit_price": 0.5, "amount": 0.5}])"};
inline const hooks::Filter after_calculation_result{
    "svc_after_calculation_result",
    "The displayed quote; added members are kept, changes of sums ignored.",
    json::Kind::object,
    {"context", "result"},
    R"({"lines": [{"kind": "", "label": "", "quantity": 1, "unit_price": 0.5, "amount": 0.5}],
        "payment_methods": [{"id": "", "label": "", "description": "", "amount": 0.5, "balance": 0.5}],
        "additional_services": [{"name": "", "price_type": ""}], "itinerary_costs": [{}], "category_breakdown": [{}],
        "group_discount": {"amount": 0.5, "label": ""}, "dynamic_pricing": {}, "coupon_error": "",
        "coupon_discount": {"code": "", "type": "", "label": "", "calculated_amount": 0.5, "error": {}}})"};

inline const hooks::Filter flexible_payments_enabled{"svc_flexible_payments_enabled",
                                                     "Whether deposits and part payments are available.",
                                                     json::Kind::boolean,
                                                     {"context"}};
inline const hooks::Filter flexible_payment_setting{"svc_flexible_payment_setting",
                                                    "A setting of deposits, part payments and saved methods; invalid"
                                                    " results are ignored.",
                                                    json::Kind::null,
                                                    {"key"}};
inline const hooks::Filter scheduled_payment_setting{
    "svc_scheduled_payment_setting",
    "Like svc_flexible_payment_setting, for settings of scheduled payments.",
    json::Kind::null,
    {"key"}};
inline const hooks::Filter scheduled_payments_active{
    "svc_scheduled_payments_module_active",
    "Whether the balance is charged automatically; deposits may then be unavailable shortly before the trip.",
    json::Kind::boolean,
    {}};
inline const hooks::Filter advanced_discount_enabled{
    "svc_advanced_discount_enabled", "Whether group discounts apply.", json::Kind::boolean, {"context"}};
inline const hooks::Filter dynamic_pricing_enabled{
    "svc_dynamic_pricing_enabled",
    "Whether dynamic pricing is active, so that the stacking mode applies.",
    json::Kind::boolean,
    {"context"}};

// The steps that are handed the booking's context and the result so far, whose members are those of a summary.
inline const std::array<const hooks::Filter*, 18> pipeline{
    &before_calculation_params, &summary_calculation_params,  &session_calculation_params, &booking_trip_price,
    &calculate_base_amount,     &calculate_subtotal,          &calculate_group_discount,   &calculate_coupon_discount,
    &after_discount_stack,      &booking_additional_services, &booking_services_total,     &booking_itinerary_costs,
    &calculate_final_total,     &calculate_payment_amounts,   &calculate_amount_due,       &payment_method_options,
    &price_breakdown,           &after_calculation_result};

inline void declare_hooks(hooks::Hooks& hooks) {
    for (const hooks::Filter& filter :
         {before_calculation_params, availability_price,         booking_trip_price,
          calculate_base_amount,     calculate_subtotal,         calculate_group_discount,
          calculate_coupon_discount, after_discount_stack,       booking_additional_services,
          booking_services_total,    booking_itinerary_costs,    calculate_final_total,
          deposit_percentage,        partial_payment_percentage, calculate_payment_amounts,
          calculate_amount_due,      payment_method_options,     price_breakdown,
          after_calculation_result,  flexible_payments_enabled,  advanced_discount_enabled,
          dynamic_pricing_enabled,   flexible_payment_setting,   scheduled_payment_setting,
          scheduled_payments_active, summary_calculation_params, session_calculation_params})
        hooks.declare(filter);
}

}  // namespace svc::pricing
