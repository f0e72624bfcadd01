// The routes of departures and of bookable dates.
#pragma once

#include "base/availability/service.hpp"
#include "shared/api/route.hpp"

namespace svc::availability {

// `service` outlives the table.
void add_routes(api::RouteTable& routes, Service& service);

}  // namespace svc::availability
