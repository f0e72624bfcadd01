// Tells what a write has made of a trip's itinerary, whichever way it came.
#pragma once

#include <vector>

#include "base/catalog/itineraries/itinerary.hpp"
#include "shared/hooks/hooks.hpp"

namespace svc::catalog::itineraries {

// The itinerary as the session sees it.
std::vector<DayPlan> plan_of(store::Session& session, std::int64_t trip_id);
// Compares `before`, read in this transaction, with what it is now, and writes the actions of what differs.
void tell_changes(store::Transaction& tx, hooks::Hooks& hooks, std::int64_t trip_id,
                  const std::vector<DayPlan>& before);

}  // namespace svc::catalog::itineraries
