// The routes of scheduled payments.
#pragma once

#include "pro/scheduled_payments/service.hpp"

namespace svc::pro::scheduled_payments {

// The service outlives the routes.
void add_routes(plugin::Routes& routes, Service& payments);

}  // namespace svc::pro::scheduled_payments
