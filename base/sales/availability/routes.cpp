// The routes of each part.
#include "base/sales/availability/routes.hpp"

#include "base/sales/availability/dates/routes.hpp"
#include "base/sales/availability/departures/routes.hpp"
#include "base/sales/availability/rules/routes.hpp"

namespace svc::availability {

void add_routes(api::RouteTable& routes, Services& services) {
    add_routes(routes, services.departures);
    add_routes(routes, services.rules, services.dates);
    add_routes(routes, services.dates);
}

}  // namespace svc::availability
