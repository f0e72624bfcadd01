// The routes below /saved-trips: the trips that the caller saved.
#pragma once

#include "pro/saved_trips/saved_trips.hpp"

namespace svc::pro::saved_trips {

// Both outlive the routes.
void add_routes(const Site& site, const SavedTrips& trips);

}  // namespace svc::pro::saved_trips
