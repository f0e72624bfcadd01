// The routes below /saved-trips: the trips that the caller saved.
#pragma once

#include "pro/saved_trips/saved_trips.hpp"

namespace svc::pro::saved_trips {

// `trips` outlives the routes.
void add_routes(plugin::Routes& routes, const SavedTrips& trips);

}  // namespace svc::pro::saved_trips
