// Routes of the dates that visitors are offered.
#pragma once

#include "base/sales/availability/dates/service.hpp"
#include "shared/api/route.hpp"

namespace svc::availability {

void add_routes(api::RouteTable& routes, const OfferedDates& dates);

}  // namespace svc::availability
