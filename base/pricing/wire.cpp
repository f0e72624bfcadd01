// The wire form of a quote. What this release does not compute yet has its neutral value, so that clients need no
// second form later.
#include "base/pricing/wire.hpp"

namespace svc::pricing {

using json::Value;

Value to_wire(const Quote& quote) {
    const Money zero = Money::zero(quote.total.currency());
    Value lines = Value::array();
    for (const Line& line : quote.lines)
        lines.push(Value::object({{"kind", line.kind},
                                  {"label", line.label},
                                  {"quantity", line.quantity},
                                  {"unit_price", line.unit_price},
                                  {"amount", line.amount}}));
    Value options = Value::array();
    for (const PaymentOption& option : quote.options)
        options.push(Value::object(
            {{"id", option.id}, {"label", option.label}, {"amount", option.amount}, {"balance", option.balance}}));
    return Value::object({{"trip_id", quote.trip_id},
                          {"travel_date", quote.travel_date},
                          {"travelers_count", quote.travelers},
                          {"total_travelers", quote.travelers},
                          {"traveler_counts", Value::object({{"0", quote.travelers}})},
                          {"currency", quote.total.currency().code()},
                          {"pricing_type", "regular"},
                          {"is_traveler_based", false},
                          {"original_price", quote.original_price},
                          {"discounted_price", quote.unit_price},
                          {"unit_price", quote.unit_price},
                          {"lines", std::move(lines)},
                          {"base_amount", quote.subtotal},
                          {"subtotal", quote.subtotal},
                          {"group_discount", Value()},
                          {"coupon_discount", Value()},
                          {"total_discount_amount", zero},
                          {"discounted_subtotal", quote.subtotal},
                          {"additional_services", Value::array()},
                          {"services_total", quote.services},
                          {"itinerary_costs", Value::array()},
                          {"itinerary_costs_total", zero},
                          {"taxable_amount", quote.total},
                          {"tax_calculation", Value::object({{"enable_tax", false},
                                                             {"tax_inclusive", false},
                                                             {"tax_breakdown", Value::array()},
                                                             {"total_tax_amount", zero}})},
                          {"gross_total", quote.total},
                          {"final_total", quote.total},
                          {"total_amount", quote.total},
                          {"amount_paid", zero},
                          {"amount_due", quote.amount_due},
                          {"payment_method", quote.payment_method},
                          {"payment_methods", std::move(options)}});
}

}  // namespace svc::pricing
