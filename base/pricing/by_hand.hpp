// What staff set of a price themselves, in place of what the trip and the settings say. Never a visitor's word.
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
