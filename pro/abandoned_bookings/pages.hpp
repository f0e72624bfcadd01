// Pages for visitors: going on with a booking, ending the reminders, and the notice in the form of a booking.
#pragma once

#include "pro/abandoned_bookings/recovery.hpp"
#include "pro/abandoned_bookings/reminders.hpp"

namespace svc::pro::abandoned_bookings {

// Adds the pages and their scripts, and the notice where the base shows parts of plugins. [start-up]
void add_pages(const Site& site, const Recovery& recovery, Reminders& reminders);

}  // namespace svc::pro::abandoned_bookings
