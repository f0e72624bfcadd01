// All routes of departures, dates and rules.
#pragma once

#include "base/sales/availability/services.hpp"
#include "shared/api/route.hpp"

namespace svc::availability {

void add_routes(api::RouteTable& routes, Services& services);

}  // namespace svc::availability
