// Additional services on pages: to choose while booking, and to add to a booking that is made.
#pragma once

#include "base/website/views/checkout.hpp"

namespace svc::pages {

// Whether a trip's page data (of /booking/trip/{id}) has extras that visitors choose.
bool has_choice_of_extras(const json::Value& trip);
// For the first step of a booking; `selected` is the chosen date, "2026-12-11T18:30": what is left is of that date.
json::Value extras_json(PageRequest& visit, const Checkout& checkout, const std::string& selected);

// Sets `later` in the model of a booking's page: the extras that can still be added, and what those cost that were
// chosen in its form. Nothing where none can be added.
void add_later_extras(PageRequest& visit, const json::Value& booking, json::Value& model);
// Handles the form that orders them. False: `fault` says why nothing was added.
bool order_later_extras(PageRequest& visit, const json::Value& booking, std::string& fault);

}  // namespace svc::pages
