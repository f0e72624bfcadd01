// The routes of abandoned bookings: staff's, and the two of visitors.
#pragma once

#include "pro/abandoned_bookings/recovery.hpp"
#include "pro/abandoned_bookings/reminders.hpp"
#include "shared/api/route.hpp"

namespace svc::pro::abandoned_bookings {

api::RouteSpec route(api::Method method, std::string path, std::string summary);  // for staff

void add_staff_routes(const Site& site, Reminders& reminders);
void add_visitor_routes(const Site& site, const plugin::Calls& calls, const Capture& capture, const Recovery& recovery,
                        Reminders& reminders);

}  // namespace svc::pro::abandoned_bookings
