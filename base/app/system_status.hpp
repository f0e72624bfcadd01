// The operator's view of the system: versions, the database, and the checks of `svc doctor` (route 17.9).
#pragma once

#include "base/app/platform.hpp"
#include "base/plugins/feature.hpp"

namespace svc::app {

// Both outlive the table.
void add_status_route(api::RouteTable& routes, const Platform& platform, const plugins::Feature& plugins);

}  // namespace svc::app
