// Reviews as templates show them.
#pragma once

#include "base/website/views/views.hpp"

namespace svc::pages {

// Of a mean or a rating, a number of JSON: `printed` with one decimal, and `fill`, how much of five stars of 20 units
// each that number fills; so stars never say another number than the words. Null for no number.
json::Value stars_json(const json::Value& average);
// Adds a trip's newest reviews and their summary to its page's model; with ?reviews=all up to a hundred.
void show_reviews(const Views& views, PageRequest& visit, const json::Value& trip, json::Value& model);

}  // namespace svc::pages
