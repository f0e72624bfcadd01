// How a trip's price is shown.
#pragma once

#include <functional>

#include "base/catalog/trips/record/trip.hpp"
#include "shared/api/schema.hpp"
#include "shared/hooks/hooks.hpp"
#include "shared/json/value.hpp"

namespace svc::catalog::trips {

// Filters applied.
struct Display {
    Money price;    // effective price
    Money regular;  // price before the reduction
    int discount_percent = 0;
    std::string unit, unit_label;
    std::string prefix = {};  // "From" where categories cost differently, so that this is where prices begin
    // Of traveler categories that cost something.
    std::optional<Money> least, most;
    // As listeners want everyone to see them; null: as the trip has them.
    json::Value pricing_type = {}, price_types = {};
};
// Whether a filter has listeners, so that no arguments are built in vain. Empty: assume that it has.
using Asks = std::function<bool(std::string_view filter)>;
// As the trip's page shows it, and as cards in lists show it.
Display display_of(const Trip& trip, const hooks::Hooks& hooks, const Asks& asks);
Display card_of(const Trip& trip, Display display, const hooks::Hooks& hooks, const Asks& asks);
// The members of a trip's answer that a display decides.
json::Value to_json(const Display& display);

json::Value to_json(const PriceType& type);
api::Type price_type_answer();

}  // namespace svc::catalog::trips
