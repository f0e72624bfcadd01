// Service as JSON: what goes out and what comes in. A file of its own because routes and memory both need it.
#pragma once

#include "base/catalog/trips/trip.hpp"
#include "shared/api/schema.hpp"
#include "shared/hooks/hooks.hpp"
#include "shared/json/value.hpp"

namespace svc::catalog::trips {

// How a trip's price is shown, filters applied.
struct Display {
    Money price;
    int discount_percent = 0;
    std::string unit, unit_label;
};
Display display_of(const Trip& trip, const hooks::Hooks& hooks);

json::Value public_json(const Trip& trip, const Display& display);  // what everyone sees
json::Value staff_json(const Trip& trip, const Display& display);   // the same and what only staff see

// The body of a write; `title` required, see Schema::partial for updates.
api::Schema trip_fields();
TripChange change_of(const json::Value& clean_body);
// The shape of public_json and staff_json for OpenAPI.
api::Type trip_answer();

}  // namespace svc::catalog::trips
