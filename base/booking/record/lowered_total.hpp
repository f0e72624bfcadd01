// A booking's total that goes down with money that went back.
#pragma once

#include "base/booking/record/booking.hpp"
#include "shared/store/store.hpp"

namespace svc::booking {

// The booking with its total lowered by that much: its lines and its tax follow as where staff set a total. `booking`
// is as read under its lock, `by` above zero and at most its total. The caller settles what is paid afterwards.
Result<Booking> lower_total(store::Transaction& tx, const Booking& booking, const Money& by, Instant now);

}  // namespace svc::booking
