// A departure as staff operate it, in answers and in what hooks are given.
#pragma once

#include "base/availability/record/bookings.hpp"
#include "shared/json/value.hpp"

namespace svc::availability {

// `party`: who travels, where it is told; null: nobody, or not told.
json::Value to_json(const Departure& departure, const std::vector<std::int64_t>& booking_ids, const Party* party);
// What every view of a departure has.
void set_common(json::Value& shown, const Departure& departure);

}  // namespace svc::availability
