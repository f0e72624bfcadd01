// The routes of trips.
#pragma once

#include "base/catalog/trips/editor/service.hpp"
#include "shared/api/route.hpp"

namespace svc::catalog::trips {

// Deletes the data of higher features in the transaction that permanently deletes the trip; an error prevents it.
using TripRemover = Lifecycle::Release;

// `trips` outlives the table. `remover` may be empty.
void add_routes(api::RouteTable& routes, Service& trips, const TripRemover& remover);
// Copies, revisions, the way out of the trash, many at once; add_routes adds these too.
void add_copy_routes(api::RouteTable& routes, Service& trips, const TripRemover& remover);
// The public routes; add_routes adds these too.
void add_public_routes(api::RouteTable& routes, Service& trips);

}  // namespace svc::catalog::trips
