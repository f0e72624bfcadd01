// Emits the actions for changes of a trip's itinerary.
#pragma once

#include <vector>

#include "base/catalog/itineraries/itinerary.hpp"
#include "shared/hooks/hooks.hpp"

namespace svc::catalog::itineraries {

// The itinerary as the session sees it.
std::vector<DayPlan> plan_of(store::Session& session, std::int64_t trip_id);
// Compares `before`, read in this transaction, with the current itinerary and emits an action for each difference.
void emit_changes(store::Transaction& tx, hooks::Hooks& hooks, std::int64_t trip_id,
                  const std::vector<DayPlan>& before);

}  // namespace svc::catalog::itineraries
