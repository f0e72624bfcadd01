// The routes of scheduled payments.
#pragma once

#include "pro/scheduled_payments/plans.hpp"
#include "pro/scheduled_payments/service.hpp"

namespace svc::pro::scheduled_payments {

// The service outlives the routes.
void add_routes(plugin::Routes& routes, Service& payments);
// The plan of a trip (plan_routes.cpp). Both outlive the routes.
void add_plan_routes(const Site& site, Plans& plans);

}  // namespace svc::pro::scheduled_payments
