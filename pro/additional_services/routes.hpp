// The routes of additional services.
#pragma once

#include "pro/additional_services/service.hpp"
#include "shared/plugin/host.hpp"

namespace svc::pro::additional_services {

// The service outlives the routes.
void add_routes(plugin::Routes& routes, Service& services);

}  // namespace svc::pro::additional_services
