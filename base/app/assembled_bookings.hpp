// What bookings ask of the parts around them, and their routes.
#pragma once

namespace svc::app {

struct Assembly;

void connect_bookings(Assembly& parts);    // [start-up] once all of them are declared
void add_registration(Assembly& parts);    // [start-up] how customers make accounts, with its routes
void add_booking_routes(Assembly& parts);  // [start-up]

}  // namespace svc::app
