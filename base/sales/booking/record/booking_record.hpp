// The record of a booking: its columns, their types and what reads and writes them.
#pragma once

#include "base/sales/booking/record/booking.hpp"
#include "shared/record/rows.hpp"

namespace svc::booking {

// Read by every statement that reads bookings; `r` is the booking's own row. Written by Repository; the columns marked
// `counted` have separate statements, and only Lifecycle writes `status`.
const record::Rows<Booking>& booking_record();

}  // namespace svc::booking
