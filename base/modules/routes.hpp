// Routes of modules (spec 4.10).
#pragma once

#include "base/modules/service.hpp"
#include "shared/api/route.hpp"

namespace svc::modules {

void add_routes(api::RouteTable& routes, Service& modules);

}  // namespace svc::modules
