// The routes of modules.
#pragma once

#include "base/modules/site_modules.hpp"
#include "shared/api/route.hpp"

namespace svc::modules {

void add_routes(api::RouteTable& routes, SiteModules& modules);

}  // namespace svc::modules
