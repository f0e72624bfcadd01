// Bookings that another installation made.
#pragma once

#include <vector>

#include "base/booking/record/booking.hpp"
#include "shared/store/store.hpp"

namespace svc::booking {

// Stores it as it was there, without an event: the row, its lines, which add up to its total, the moments that its
// status reports, and what is paid. The id is set. Seats and rows of payments are the caller's. False: the reference
// is taken.
bool insert_imported(store::Transaction& tx, Booking& booking, const std::vector<Line>& lines, const Money& paid);

}  // namespace svc::booking
