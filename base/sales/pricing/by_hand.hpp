// Manual parts of a price: set by staff in place of trip and settings, never by visitors.
#pragma once

#include <optional>
#include <string>

#include "shared/core/money.hpp"
#include "shared/json/value.hpp"

namespace svc::pricing {

struct ByHand {
    // Charges in place of the itinerary's: objects with name, price and price_per (person or booking) or total_cost.
    std::optional<json::Value> charges = {};
    std::optional<Rate> tax_rate = {};           // of one tax in place of all others
    std::optional<std::string> tax_amount = {};  // decimal text; divided by the rates there are
    std::optional<bool> tax_inclusive = {};      // whether the prices hold it

    [[nodiscard]] bool any() const { return charges || tax_rate || tax_amount; }
};

}  // namespace svc::pricing
