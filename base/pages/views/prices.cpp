// The notes beside a price: listeners' texts, and the price in other currencies.
#include "base/pages/hooks.hpp"
#include "base/pages/views/views.hpp"

namespace svc::pages {

using json::Value;

PriceDisplay Views::price_display(const Value& trip_id) const {
    PriceDisplay display;
    if (!site.hooks.filtered(price_display_settings.name))
        return display;
    const Value told = site.hooks.apply(
        price_display_settings,
        Value::object({{"show_original_price", true}, {"show_savings_badge", true}, {"show_urgency_messages", true}}),
        {trip_id});
    const auto help = [&](std::string_view name) { return told.maybe_boolean(name).value_or(true); };
    return {.original = help("show_original_price"),
            .savings = help("show_savings_badge"),
            .urgency = help("show_urgency_messages")};
}

}  // namespace svc::pages
