// The wire form of a quote. What this release does not compute yet has its neutral value, so that clients need no
// second form later.
#include "base/pricing/wire.hpp"

namespace svc::pricing {

using json::Value;

Value to_wire(const TravelerCounts& counts, std::int64_t travelers) {
    if (counts.empty())
        return Value::object({{"0", travelers}});
    Value wire = Value::object();
    for (const auto& [category, count] : counts)
        wire.set(std::to_string(category), count);
    return wire;
}

Value to_wire(const Quote& quote) {
    const Money zero = Money::zero(quote.total.currency());
    Value lines = Value::array();
    for (const Line& line : quote.lines)
        lines.push(Value::object({{"kind", line.kind},
                                  {"label", line.label},
                                  {"quantity", line.quantity},
                                  {"unit_price", line.unit_price},
                                  {"amount", line.amount},
                                  {"category_id", line.category_id > 0 ? Value(line.category_id) : Value()},
                                  {"people", line.category_id > 0 ? Value(line.people) : Value()}}));
    Value options = Value::array();
    for (const PaymentOption& option : quote.options)
        options.push(Value::object(
            {{"id", option.id}, {"label", option.label}, {"amount", option.amount}, {"balance", option.balance}}));
    return Value::object({{"trip_id", quote.trip_id},
                          {"travel_date", quote.travel_date},
                          {"travelers_count", quote.travelers},
                          {"total_travelers", quote.travelers},
                          {"traveler_counts", to_wire(quote.traveler_counts, quote.travelers)},
                          {"currency", quote.total.currency().code()},
                          {"pricing_type", quote.traveler_counts.empty() ? "regular" : "traveler_based"},
                          {"is_traveler_based", !quote.traveler_counts.empty()},
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

api::Type quote_answer() {
    using namespace api;
    const Schema line{{"kind", text(20), "traveler or service.", true},
                      {"label", text(255)},
                      {"quantity", integer(0)},
                      {"unit_price", money()},
                      {"amount", money(), "", true},
                      {"category_id", id().or_null(), "Of a trip priced by traveler category."},
                      {"people", integer(0).or_null(), "How many of the category; quantity counts groups."}};
    const Schema option{{"id", text(20), "full, deposit or partial.", true},
                        {"label", text(100)},
                        {"amount", money(), "Asked for now.", true},
                        {"balance", money(), "Left for later.", true}};
    const Schema tax{{"enable_tax", boolean()},
                     {"tax_inclusive", boolean(), "Whether the prices hold the tax."},
                     {"tax_breakdown", list(map(anything())), "A line for each tax."},
                     {"total_tax_amount", money()}};
    return object({{"trip_id", id(), "", true},
                   {"travel_date", date(), "", true},
                   {"travelers_count", integer(1), "", true},
                   {"total_travelers", integer(1), "The same as travelers_count."},
                   {"traveler_counts", map(integer(0)), "By traveler category; 0 is everybody."},
                   {"currency", text(3), "", true},
                   {"pricing_type", choice({"regular", "traveler_based"})},
                   {"is_traveler_based", boolean()},
                   {"original_price", money(), "The list price of one traveler."},
                   {"discounted_price", money(), "What one traveler pays."},
                   {"unit_price", money(), "The same as discounted_price."},
                   {"lines", list(object(line), 1000), "They add up to the total.", true},
                   {"base_amount", money(), "The same as subtotal."},
                   {"subtotal", money(), "Of the travelers.", true},
                   {"group_discount", map(anything()).or_null()},
                   {"coupon_discount", map(anything()).or_null()},
                   {"total_discount_amount", money()},
                   {"discounted_subtotal", money()},
                   {"additional_services", list(map(anything()), 1000), "As the modules that sell them tell it."},
                   {"services_total", money()},
                   {"itinerary_costs", list(map(anything()), 1000)},
                   {"itinerary_costs_total", money()},
                   {"taxable_amount", money()},
                   {"tax_calculation", object(tax)},
                   {"gross_total", money(), "The same as final_total."},
                   {"final_total", money(), "What the booking costs.", true},
                   {"total_amount", money(), "The same as final_total."},
                   {"amount_paid", money()},
                   {"amount_due", money(), "What is asked for at checkout.", true},
                   {"payment_method", choice({"full", "deposit", "partial"}), "How much is paid at checkout."},
                   {"payment_methods", list(object(option), 10), "The ways to pay, with what each asks for now."}});
}

}  // namespace svc::pricing
