// How a trip's price is shown.
#pragma once

#include "base/catalog/trips/trip.hpp"
#include "shared/api/schema.hpp"
#include "shared/hooks/hooks.hpp"
#include "shared/json/value.hpp"

namespace svc::catalog::trips {

// Filters applied.
struct Display {
    Money price;    // what is paid
    Money regular;  // what it is lowered from
    int discount_percent = 0;
    std::string unit, unit_label;
    bool from = false;  // categories cost differently, so this is where prices begin
    // Of traveler categories that cost something.
    std::optional<Money> least, most;
};
Display display_of(const Trip& trip, const hooks::Hooks& hooks);

json::Value to_json(const PriceType& type);
api::Type price_type_answer();

}  // namespace svc::catalog::trips
