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
    const Schema problem{{.name = "code", .type = text(60), .required = true},
                         {.name = "message", .type = text(500), .required = true}};
    const Schema coupon{
        {.name = "code", .type = text(255), .help = "As typed.", .required = true},
        {.name = "type", .type = choice({"percentage", "fixed"}).or_null()},
        {.name = "amount", .type = decimal(0).or_null(), .help = "Of the coupon: a percentage, or an amount."},
        {.name = "calculated_amount", .type = money(), .help = "The discount in this quote.", .required = true},
        {.name = "discount_amount", .type = money(), .help = "Same as calculated_amount.", .required = true},
        {.name = "amount_formatted",
         .type = text(60),
         .help = "Only in a summary, like the next two; only for a fixed amount."},
        {.name = "calculated_amount_formatted", .type = text(60)},
        {.name = "discount_amount_formatted", .type = text(60)},
        {.name = "label", .type = text(255)},
        {.name = "error",
         .type = object("CouponProblem", problem).or_null(),
         .help = "Why the coupon gives no discount.",
         .required = true}};
    return object("Coupon", sometimes_sent(coupon, {"amount_formatted", "calculated_amount_formatted",
                                                    "discount_amount_formatted"}));
}

api::Type payment_options_answer() {
    using namespace api;
    using api::text;
    const Schema option{
        {.name = "id", .type = text(20), .help = "full, deposit or partial.", .required = true},
        {.name = "label", .type = text(100)},
        {.name = "amount", .type = money(), .help = "The amount due now.", .required = true},
        {.name = "balance", .type = money(), .help = "The amount due later.", .required = true},
        {.name = "balance_on", .type = date(), .help = "The day by which everything is to be paid."},
        {.name = "percentage", .type = percent().or_null(), .help = "The percentage of the total, if it is one."},
        {.name = "fixed_amount", .type = money().or_null(), .help = "The fixed amount, if it is one."},
        {.name = "description", .type = text(500)},
        {.name = "amount_formatted", .type = text(60)},
        {.name = "balance_formatted", .type = text(60)}};
    return list(object("PaymentOption", option), 10);
}

api::Type dynamic_pricing_answer() {
    using namespace api;
    using api::text;
    const Schema rule{{.name = "rule_id", .type = id().referring_to("dynamic-pricing/rules"), .required = true},
                      {.name = "name", .type = text(150)},
                      {.name = "adjustment", .type = decimal(), .help = "Of one price.", .required = true}};
    const Schema price{{.name = "category_id", .type = integer(0), .help = "0 without categories.", .required = true},
                       {.name = "label", .type = text(255), .help = "What the price is for."},
                       {.name = "regular_price", .type = money().or_null(), .help = "The list price."},
                       {.name = "before", .type = money(), .required = true},
                       {.name = "price", .type = money(), .required = true},
                       {.name = "rules",
                        .type = list(object("AppliedPriceRule", rule), 100),
                        .help = "The rules that changed it, in order."},
                       {.name = "capped",
                        .type = choice({"maximum_markup", "maximum_discount"}).or_null(),
                        .help = "The limit that cut the rules' change."}};
    return object("DynamicPricing",
                  {{.name = "applied", .type = boolean()},
                   {.name = "before", .type = money()},
                   {.name = "adjustment", .type = decimal()},
                   {.name = "prices",
                    .type = list(object("PriceExplanation", sometimes_sent(price, {"rules", "capped"})), 1000),
                    .help = "Why each price is another."}})
        .or_null();
}

api::Type quote_answer() {
    using namespace api;
    using api::text;
    const Schema line{
        {.name = "kind",
         .type = text(20),
         .help = "traveler, group_discount, coupon, service, itinerary, tax or dynamic.",
         .required = true},
        {.name = "label", .type = text(255)},
        {.name = "quantity", .type = integer(0)},
        {.name = "unit_price", .type = decimal()},
        {.name = "amount", .type = decimal(), .help = "Negative for discounts.", .required = true},
        {.name = "category_id", .type = id().or_null(), .help = "The traveler category, for trips priced by category."},
        {.name = "people",
         .type = integer(0).or_null(),
         .help = "Number of people of the category; quantity counts groups."},
        {.name = "pricing_mode",
         .type = choice({"per_person", "per_group"}).or_null(),
         .help = "Of a line of travelers."},
        {.name = "unit_price_formatted", .type = text(60), .help = "Only in a summary, like all of these."},
        {.name = "amount_formatted", .type = text(60)}};
    const Schema tax_line{{.name = "name", .type = text(100), .required = true},
                          {.name = "rate", .type = percent(), .required = true},
                          {.name = "amount", .type = money(), .required = true}};
    const Schema tax{
        {.name = "enable_tax", .type = boolean()},
        {.name = "tax_inclusive", .type = boolean(), .help = "Whether prices include tax."},
        {.name = "tax_breakdown", .type = list(object("TaxAmount", tax_line)), .help = "A line for each tax."},
        {.name = "total_tax_amount", .type = money()}};
    const Schema group{{.name = "amount", .type = money(), .required = true},
                       {.name = "label", .type = text(255)},
                       {.name = "code", .type = text(50).or_null()},
                       {.name = "amount_formatted", .type = text(60)},
                       {.name = "applied_categories",
                        .type = list(id(), 1000),
                        .help = "The categories whose numbers decide, if each category counts alone."}};
    const Schema category{{.name = "category_id", .type = id(), .required = true},
                          {.name = "label", .type = text(255)},
                          {.name = "count", .type = integer(0)},
                          {.name = "unit_price", .type = money()},
                          {.name = "pricing_mode", .type = choice({"per_person", "per_group"})},
                          {.name = "total", .type = money()},
                          {.name = "unit_price_formatted", .type = text(60)},
                          {.name = "total_formatted", .type = text(60)}};
    return object(
        "Quote",
        {{.name = "trip_id", .type = id(), .required = true},
         {.name = "travel_date", .type = date(), .required = true},
         {.name = "travelers_count", .type = integer(1), .required = true},
         {.name = "total_travelers", .type = integer(1), .help = "The same as travelers_count."},
         {.name = "traveler_counts",
          .type = map(integer(0)),
          .help = "Numbers by traveler category id; key 0 without categories."},
         {.name = "currency", .type = text(3), .required = true},
         {.name = "pricing_type", .type = choice({"regular", "traveler_based"})},
         {.name = "is_traveler_based", .type = boolean()},
         {.name = "original_price", .type = money(), .help = "The list price of one traveler."},
         {.name = "discounted_price", .type = money(), .help = "The price for one traveler."},
         {.name = "unit_price", .type = money(), .help = "The same as discounted_price."},
         {.name = "unit_price_before_dp", .type = money(), .help = "The price before a dynamic price."},
         {.name = "dp_per_unit_delta", .type = decimal(), .help = "The change by the dynamic price for one traveler."},
         {.name = "dp_total_adjustment",
          .type = decimal(),
          .help = "The change by the dynamic price for all travelers."},
         {.name = "category_prices_post_dp",
          .type = map(money()),
          .help = "The price for one traveler by category id; key 0 without categories."},
         {.name = "dynamic_pricing", .type = dynamic_pricing_answer(), .help = "null without a dynamic price."},
         {.name = "category_breakdown",
          .type = list(object("CategoryPrice", category), 1000),
          .help = "The lines of the travelers by category."},
         {.name = "lines",
          .type = list(object("QuoteLine", line), 2000),
          .help = "They add up to the total.",
          .required = true},
         {.name = "base_amount", .type = money(), .help = "The travelers' lines."},
         {.name = "subtotal", .type = money(), .help = "The travelers' price before discounts.", .required = true},
         {.name = "group_discount", .type = object("GroupDiscount", group).or_null()},
         {.name = "coupon_discount", .type = coupon_answer().or_null()},
         {.name = "coupon_error", .type = text(500).or_null(), .help = "Why the coupon gives no discount."},
         {.name = "total_discount_amount", .type = money()},
         {.name = "total_discount", .type = money(), .help = "Same as total_discount_amount."},
         {.name = "discounted_subtotal", .type = money()},
         {.name = "additional_services",
          .type = list(map(anything()), 1000),
          .help = "Additional services, as their module describes them."},
         {.name = "services_total", .type = money()},
         {.name = "itinerary_costs", .type = list(map(anything()), 1000), .help = "The itinerary's charges."},
         {.name = "itinerary_costs_total", .type = money()},
         {.name = "taxable_amount", .type = money()},
         {.name = "tax_calculation", .type = object("TaxCalculation", tax)},
         {.name = "gross_total", .type = money(), .help = "The same as final_total."},
         {.name = "final_total", .type = money(), .help = "The booking's price.", .required = true},
         {.name = "total_amount", .type = money(), .help = "The same as final_total."},
         {.name = "amount_paid", .type = money()},
         {.name = "amount_due", .type = money(), .help = "The amount due at checkout.", .required = true},
         {.name = "payment_method",
          .type = choice({"full", "deposit", "partial"}),
          .help = "The payment option at checkout."},
         {.name = "payment_methods",
          .type = payment_options_answer(),
          .help = "The payment options, with the amount of each that is due now."}});
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
