// Routes of additional services that a booking gets after it was made. They exist while the module additional_services
// is on.
#pragma once

#include <memory>

#include "base/sales/booking/desk/later_services.hpp"
#include "shared/api/route.hpp"

namespace svc::booking {

struct LaterServiceRoutes {
    std::shared_ptr<LaterServices> services;
    Service& records;
    api::Permission reads, orders;  // of a booking's customer, by the path's id
};
void add_later_service_routes(api::RouteTable& routes, const LaterServiceRoutes& given);

}  // namespace svc::booking
