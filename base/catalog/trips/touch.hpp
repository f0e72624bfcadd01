// For the features that keep rows of their own about a trip: their change is one of the trip's.
#pragma once

#include <optional>

#include "base/catalog/trips/trip.hpp"
#include "shared/hooks/hooks.hpp"
#include "shared/store/store.hpp"

namespace svc::catalog::trips {

// The trip, which no other writer changes until the transaction ends; trip_not_found, svc_conflict in the trash.
Result<Trip> locked(store::Transaction& tx, std::int64_t id);
// Afterwards: the trip has its next version and its action is written. The caller calls Service::shown().refresh(id)
// after the commit.
void touched(store::Transaction& tx, hooks::Hooks& hooks, std::int64_t id, std::optional<std::int64_t> user_id,
             Instant now);

}  // namespace svc::catalog::trips
