// The wire form of a quote.
#include "base/sales/pricing/wire.hpp"

#include "shared/api/named.hpp"
#include "shared/api/sometimes_sent.hpp"

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

namespace {

Money sum_of(const std::vector<Line>& lines, std::string_view kind, Money sum) {
    for (const Line& line : lines)
        if (line.kind == kind)
            sum += line.amount;
    return sum;
}

Value lines_json(const Quote& quote) {
    Value lines = Value::array();
    for (const Line& line : quote.lines)
        lines.push(Value::object({{"kind", line.kind},
                                  {"label", line.label},
                                  {"quantity", line.quantity},
                                  {"unit_price", line.unit_price},
                                  {"amount", line.amount},
                                  {"category_id", line.category_id > 0 ? Value(line.category_id) : Value()},
                                  {"people", line.category_id > 0 ? Value(line.people) : Value()},
                                  {"pricing_mode", line.kind != "traveler" ? Value()
                                                   : line.per_group        ? Value("per_group")
                                                                           : Value("per_person")}}));
    return lines;
}

Value options_json(const Quote& quote) {
    Value options = Value::array();
    for (const PaymentOption& option : quote.options)
        options.push(Value::object({{"id", option.id},
                                    {"label", option.label},
                                    {"amount", option.amount},
                                    {"balance", option.balance},
                                    {"balance_on", quote.rest_on},
                                    {"percentage", option.rate},
                                    {"fixed_amount", option.flat},
                                    {"description", option.description}}));
    return options;
}

Value category_prices_json(const Quote& quote) {
    Value prices = Value::object();
    for (const Line& line : quote.lines)
        if (line.kind == "traveler")
            prices.set(std::to_string(line.category_id), line.unit_price);
    return prices;
}

// Each price before and after dynamic prices.
Value dynamic_prices_json(const Quote& quote) {
    Value prices = Value::array();
    for (const Line& listed : quote.listed)
        for (const Line& line : quote.lines)
            if (line.kind == "traveler" && line.category_id == listed.category_id)
                prices.push(Value::object({{"category_id", line.category_id},
                                           {"label", line.label},
                                           {"regular_price", listed.regular},
                                           {"before", listed.unit_price},
                                           {"price", line.unit_price}}));
    return prices;
}

Value breakdown_json(const Quote& quote) {
    Value rows = Value::array();
    for (const Line& line : quote.lines)
        if (line.kind == "traveler" && line.category_id > 0)
            rows.push(Value::object({{"category_id", line.category_id},
                                     {"label", line.label},
                                     {"count", line.people},
                                     {"unit_price", line.unit_price},
                                     {"pricing_mode", line.per_group ? "per_group" : "per_person"},
                                     {"total", line.amount}}));
    return rows;
}

Value group_json(const Quote& quote) {
    if (!quote.group)
        return {};
    Value categories = Value::array();
    for (const std::int64_t category : quote.group->categories)
        categories.push(category);
    return Value::object({{"amount", quote.group->amount},
                          {"label", quote.group->label},
                          {"code", Value()},
                          {"applied_categories", std::move(categories)}});
}

Value problem_json(const Error& error) {
    return Value::object({{"code", error.code().name}, {"message", error.message().english()}});
}

Value coupon_json(const Quote& quote, const std::string& code) {
    if (!quote.coupon && !quote.coupon_error)
        return {};
    const Money nothing = Money::zero(quote.total.currency());
    const Money amount = quote.coupon ? quote.coupon->amount : nothing;
    const auto* discount = quote.coupon ? quote.coupon->discount.get() : nullptr;
    Value shown = Value::object({{"code", quote.coupon && !quote.coupon->code.empty() ? quote.coupon->code : code},
                                 {"type", Value()},
                                 {"amount", Value()},
                                 {"calculated_amount", amount},
                                 {"discount_amount", amount},
                                 {"label", quote.coupon ? quote.coupon->label : ""},
                                 {"error", quote.coupon_error ? problem_json(*quote.coupon_error) : Value()}});
    if (discount) {
        shown.set("type", discount->cut.is_percentage() ? "percentage" : "fixed");
        shown.set("amount", discount->cut.rate ? Value(*discount->cut.rate) : Value(*discount->cut.flat));
    }
    return shown;
}

Value tax_lines_json(const Quote& quote) {
    return json::array_of(quote.taxes, [&](const TaxLine& tax) {
        return Value::object({{"name", tax.name}, {"rate", tax.rate}, {"amount", tax.amount}});
    });
}

}  // namespace

Value to_wire(const Quote& quote, const std::string& coupon_code) {
    const Money zero = Money::zero(quote.total.currency());
    const Money moved = sum_of(quote.lines, "traveler", zero) - quote.base_before;
    const bool dynamic = quote.unit_price != quote.unit_before || !moved.is_zero();
    // About forty distinct members: built without looking for duplicates.
    json::Object members;
    members.reserve(64);
    const auto add = [&members](const char* name, auto&& value) {
        members.emplace_back(name, std::forward<decltype(value)>(value));
    };
    add("trip_id", quote.trip_id);
    add("travel_date", quote.travel_date);
    add("travelers_count", quote.travelers);
    add("total_travelers", quote.travelers);
    add("traveler_counts", to_wire(quote.traveler_counts, quote.travelers));
    add("currency", quote.total.currency().code());
    add("pricing_type", quote.traveler_counts.empty() ? "regular" : "traveler_based");
    add("is_traveler_based", !quote.traveler_counts.empty());
    add("original_price", quote.original_price);
    add("discounted_price", quote.unit_price);
    add("unit_price", quote.unit_price);
    add("unit_price_before_dp", quote.unit_before);
    add("dp_per_unit_delta", quote.unit_price - quote.unit_before);
    add("dp_total_adjustment", moved);
    add("category_prices_post_dp", category_prices_json(quote));
    add("dynamic_pricing", dynamic ? Value::object({{"applied", true},
                                                    {"before", quote.base_before},
                                                    {"adjustment", moved},
                                                    {"prices", dynamic_prices_json(quote)}})
                                   : Value());
    add("category_breakdown", breakdown_json(quote));
    add("lines", lines_json(quote));
    add("base_amount", quote.base);
    add("subtotal", quote.subtotal);
    add("group_discount", group_json(quote));
    add("coupon_discount", coupon_json(quote, coupon_code));
    add("coupon_error", quote.coupon_error ? Value(quote.coupon_error->message().english()) : Value());
    add("total_discount_amount", quote.discount());
    add("total_discount", quote.discount());
    add("discounted_subtotal", quote.discounted);
    add("additional_services", Value::array());
    add("services_total", quote.services);
    add("itinerary_costs", Value::array());
    add("itinerary_costs_total", quote.itinerary);
    add("taxable_amount", quote.taxable);
    add("tax_calculation", Value::object({{"enable_tax", quote.taxed},
                                          {"tax_inclusive", quote.tax_inclusive},
                                          {"tax_breakdown", tax_lines_json(quote)},
                                          {"total_tax_amount", quote.tax}}));
    add("gross_total", quote.total);
    add("final_total", quote.total);
    add("total_amount", quote.total);
    add("amount_paid", zero);
    add("amount_due", quote.amount_due);
    add("payment_method", quote.payment_method);
    add("payment_methods", options_json(quote));
    return members;
}

api::Type coupon_answer() {
    using namespace api;
    using api::text;
    const Schema problem{{"code", text(60), "", true}, {"message", text(500), "", true}};
    const Schema coupon{
        {"code", text(255), "As typed.", true},
        {"type", choice({"percentage", "fixed"}).or_null()},
        {"amount", decimal(0).or_null(), "Of the coupon: a percentage, or an amount."},
        {"calculated_amount", money(), "The discount in this quote.", true},
        {"discount_amount", money(), "Same as calculated_amount.", true},
        {"amount_formatted", text(60), "Only in a summary, like the next two; only for a fixed amount."},
        {"calculated_amount_formatted", text(60)},
        {"discount_amount_formatted", text(60)},
        {"label", text(255)},
        {"error", object("CouponProblem", problem).or_null(), "Why the coupon gives no discount.", true}};
    return object("Coupon", sometimes_sent(coupon, {"amount_formatted", "calculated_amount_formatted",
                                                    "discount_amount_formatted"}));
}

api::Type payment_options_answer() {
    using namespace api;
    using api::text;
    const Schema option{{"id", text(20), "full, deposit or partial.", true},
                        {"label", text(100)},
                        {"amount", money(), "The amount due now.", true},
                        {"balance", money(), "The amount due later.", true},
                        {"balance_on", date(), "The day by which everything is to be paid."},
                        {"percentage", percent().or_null(), "The percentage of the total, if it is one."},
                        {"fixed_amount", money().or_null(), "The fixed amount, if it is one."},
                        {"description", text(500)},
                        {"amount_formatted", text(60)},
                        {"balance_formatted", text(60)}};
    return list(object("PaymentOption", option), 10);
}

api::Type dynamic_pricing_answer() {
    using namespace api;
    using api::text;
    const Schema rule{{"rule_id", id().referring_to("dynamic-pricing/rules"), "", true},
                      {"name", text(150)},
                      {"adjustment", decimal(), "Of one price.", true}};
    const Schema price{
        {"category_id", integer(0), "0 without categories.", true},
        {"label", text(255), "What the price is for."},
        {"regular_price", money().or_null(), "The list price."},
        {"before", money(), "", true},
        {"price", money(), "", true},
        {"rules", list(object("AppliedPriceRule", rule), 100), "The rules that changed it, in order."},
        {"capped", choice({"maximum_markup", "maximum_discount"}).or_null(), "The limit that cut the rules' change."}};
    return object("DynamicPricing",
                  {{"applied", boolean()},
                   {"before", money()},
                   {"adjustment", decimal()},
                   {"prices", list(object("PriceExplanation", sometimes_sent(price, {"rules", "capped"})), 1000),
                    "Why each price is another."}})
        .or_null();
}

api::Type quote_answer() {
    using namespace api;
    using api::text;
    const Schema line{{"kind", text(20), "traveler, group_discount, coupon, service, itinerary, tax or dynamic.", true},
                      {"label", text(255)},
                      {"quantity", integer(0)},
                      {"unit_price", decimal()},
                      {"amount", decimal(), "Negative for discounts.", true},
                      {"category_id", id().or_null(), "The traveler category, for trips priced by category."},
                      {"people", integer(0).or_null(), "Number of people of the category; quantity counts groups."},
                      {"pricing_mode", choice({"per_person", "per_group"}).or_null(), "Of a line of travelers."},
                      {"unit_price_formatted", text(60), "Only in a summary, like all of these."},
                      {"amount_formatted", text(60)}};
    const Schema tax_line{{"name", text(100), "", true}, {"rate", percent(), "", true}, {"amount", money(), "", true}};
    const Schema tax{{"enable_tax", boolean()},
                     {"tax_inclusive", boolean(), "Whether prices include tax."},
                     {"tax_breakdown", list(object("TaxAmount", tax_line)), "A line for each tax."},
                     {"total_tax_amount", money()}};
    const Schema group{{"amount", money(), "", true},
                       {"label", text(255)},
                       {"code", text(50).or_null()},
                       {"amount_formatted", text(60)},
                       {"applied_categories", list(id(), 1000),
                        "The categories whose numbers decide, if each category counts alone."}};
    const Schema category{{"category_id", id(), "", true},
                          {"label", text(255)},
                          {"count", integer(0)},
                          {"unit_price", money()},
                          {"pricing_mode", choice({"per_person", "per_group"})},
                          {"total", money()},
                          {"unit_price_formatted", text(60)},
                          {"total_formatted", text(60)}};
    return object(
        "Quote",
        {{"trip_id", id(), "", true},
         {"travel_date", date(), "", true},
         {"travelers_count", integer(1), "", true},
         {"total_travelers", integer(1), "The same as travelers_count."},
         {"traveler_counts", map(integer(0)), "Numbers by traveler category id; key 0 without categories."},
         {"currency", text(3), "", true},
         {"pricing_type", choice({"regular", "traveler_based"})},
         {"is_traveler_based", boolean()},
         {"original_price", money(), "The list price of one traveler."},
         {"discounted_price", money(), "The price for one traveler."},
         {"unit_price", money(), "The same as discounted_price."},
         {"unit_price_before_dp", money(), "The price before a dynamic price."},
         {"dp_per_unit_delta", decimal(), "The change by the dynamic price for one traveler."},
         {"dp_total_adjustment", decimal(), "The change by the dynamic price for all travelers."},
         {"category_prices_post_dp", map(money()),
          "The price for one traveler by category id; key 0 without categories."},
         {"dynamic_pricing", dynamic_pricing_answer(), "null without a dynamic price."},
         {"category_breakdown", list(object("CategoryPrice", category), 1000),
          "The lines of the travelers by category."},
         {"lines", list(object("QuoteLine", line), 2000), "They add up to the total.", true},
         {"base_amount", money(), "The travelers' lines."},
         {"subtotal", money(), "The travelers' price before discounts.", true},
         {"group_discount", object("GroupDiscount", group).or_null()},
         {"coupon_discount", coupon_answer().or_null()},
         {"coupon_error", text(500).or_null(), "Why the coupon gives no discount."},
         {"total_discount_amount", money()},
         {"total_discount", money(), "Same as total_discount_amount."},
         {"discounted_subtotal", money()},
         {"additional_services", list(map(anything()), 1000), "Additional services, as their module describes them."},
         {"services_total", money()},
         {"itinerary_costs", list(map(anything()), 1000), "The itinerary's charges."},
         {"itinerary_costs_total", money()},
         {"taxable_amount", money()},
         {"tax_calculation", object("TaxCalculation", tax)},
         {"gross_total", money(), "The same as final_total."},
         {"final_total", money(), "The booking's price.", true},
         {"total_amount", money(), "The same as final_total."},
         {"amount_paid", money()},
         {"amount_due", money(), "The amount due at checkout.", true},
         {"payment_method", choice({"full", "deposit", "partial"}), "The payment option at checkout."},
         {"payment_methods", payment_options_answer(),
          "The payment options, with the amount of each that is due now."}});
}

void say_coupon_error(Value& shown, const Quote& quote, const std::function<std::string(const Sentence&)>& say) {
    if (!quote.coupon_error || !shown.is_object())
        return;
    const std::string said = say(quote.coupon_error->message());
    shown.set("coupon_error", said);
    Value coupon = shown["coupon_discount"];
    if (!coupon.is_object() || !coupon["error"].is_object())
        return;
    Value error = coupon["error"];
    error.set("message", said);
    coupon.set("error", std::move(error));
    shown.set("coupon_discount", std::move(coupon));
}

}  // namespace svc::pricing
