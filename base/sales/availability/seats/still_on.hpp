// Whether a departure is still on the day it was sold for: staff may move it between the price and the seats.
#pragma once

#include "base/sales/availability/dates/dates.hpp"
#include "base/sales/availability/record/departure_rows.hpp"

namespace svc::availability {

// `slot` is read under the departure's lock: a move takes existing bookings along, but not bookings in progress.
inline bool is_still_on(const Slot& slot, const Bookable& sold) {
    return slot.start_date == sold.date && slot.time == sold.time;
}

}  // namespace svc::availability
