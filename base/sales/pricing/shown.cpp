// The members of a quote as listeners leave them.
#include "base/sales/pricing/shown.hpp"

#include <algorithm>

#include "base/sales/pricing/hooks.hpp"
#include "base/sales/pricing/wire.hpp"

namespace svc::pricing {
namespace {

using json::Value;

// Those of a listener's list that have all that a page reads of one.
Value whole_ones(Value list, std::initializer_list<std::string_view> needed) {
    std::erase_if(list.items(), [&](const Value& one) {
        return std::any_of(needed.begin(), needed.end(), [&](std::string_view name) { return one[name].is_null(); });
    });
    return list;
}
Value whole_lines(Value lines) { return whole_ones(std::move(lines), {"kind", "amount"}); }
Value whole_options(Value options) { return whole_ones(std::move(options), {"id", "amount", "balance"}); }

}  // namespace

void show(Quote& quote, const Request& request, Extras extras, const Listeners& listeners) {
    Value shown = to_wire(quote, request.coupon ? request.coupon->code : std::string());
    quote.services_sold = extras.services_shown;
    shown.set("additional_services", std::move(extras.services_shown));
    shown.set("itinerary_costs", std::move(extras.itinerary_shown));
    if (listeners.has_listener(payment_method_options))
        shown.set("payment_methods", whole_options(listeners.value(payment_method_options, shown["payment_methods"])));
    if (listeners.has_listener(price_breakdown))
        shown.set("lines", whole_lines(listeners.value(price_breakdown, shown["lines"])));
    if (!listeners.has_listener(after_calculation_result)) {
        quote.shown = std::move(shown);
        return;
    }
    Value result = listeners.value(after_calculation_result, shown);
    for (const std::string_view name :
         {"base_amount", "subtotal", "total_discount_amount", "discounted_subtotal", "services_total",
          "itinerary_costs_total", "taxable_amount", "tax_calculation", "gross_total", "final_total", "total_amount",
          "amount_due", "amount_paid", "currency", "travelers_count"})
        if (const Value& ours = shown[name]; result[name] != ours)
            result.set(std::string(name), ours);
    // Missing members, and those of the wrong type, keep their value.
    for (const auto& [name, ours] : shown.members())
        if (!ours.is_null() && result[name].kind() != ours.kind())
            result.set(name, ours);
    result.set("lines", whole_lines(result["lines"]));
    result.set("payment_methods", whole_options(result["payment_methods"]));
    quote.shown = std::move(result);
}

}  // namespace svc::pricing
