// What bookings ask of the parts around them, and their routes.
#pragma once

namespace svc::app {

struct Assembly;

void connect_bookings(Assembly& parts);    // [start-up] once all of them are declared
void add_booking_routes(Assembly& parts);  // [start-up]

}  // namespace svc::app
