// A departure as staff operate it, in answers and in arguments of hooks.
#pragma once

#include "base/sales/availability/record/bookings.hpp"
#include "shared/json/value.hpp"

namespace svc::availability {

// `party`: the travelers, if included; null: none.
json::Value to_json(const Departure& departure, const std::vector<std::int64_t>& booking_ids, const Party* party);
// Members of every view of a departure.
void set_common(json::Value& shown, const Departure& departure);

}  // namespace svc::availability
