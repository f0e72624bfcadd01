// The notes beside a price: listeners' texts, and the price in other currencies.
#include "base/pages/hooks.hpp"
#include "base/pages/views/views.hpp"

namespace svc::pages {

using json::Value;

PriceDisplay Views::price_display(Visit& visit, const Value& trip_id) const {
    if (!site.hooks.filtered(price_display_settings.name))
        return {};
    if (const auto known = visit.price_displays.find(trip_id.number_text()); known != visit.price_displays.end())
        return known->second;
    const Value wanted = site.hooks.apply(
        price_display_settings,
        Value::object({{"show_original_price", true}, {"show_savings_badge", true}, {"show_urgency_messages", true}}),
        {trip_id});
    const auto shows = [&](std::string_view name) { return wanted.maybe_boolean(name).value_or(true); };
    const PriceDisplay display{.original = shows("show_original_price"),
                               .savings = shows("show_savings_badge"),
                               .urgency = shows("show_urgency_messages")};
    visit.price_displays.emplace(trip_id.number_text(), display);
    return display;
}

}  // namespace svc::pages
