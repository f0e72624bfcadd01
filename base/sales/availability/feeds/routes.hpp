// Routes of calendars to subscribe to.
#pragma once

#include "base/sales/availability/feeds/feeds.hpp"
#include "shared/api/route.hpp"

namespace svc::availability {

void add_routes(api::RouteTable& routes, Feeds& feeds);

}  // namespace svc::availability
