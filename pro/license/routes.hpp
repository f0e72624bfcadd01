// The licence's routes.
#pragma once

#include "pro/license/service.hpp"

namespace svc::pro::license {

// Service and settings outlive the routes.
void add_routes(plugin::Routes& routes, Service& licenses, const plugin::Settings& settings);

}  // namespace svc::pro::license
