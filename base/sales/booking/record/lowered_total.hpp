// Lowers a booking's total by refunded money.
#pragma once

#include "base/sales/booking/record/booking.hpp"
#include "shared/store/store.hpp"

namespace svc::booking {

// The booking with a lower total: lines and tax follow as when staff set a total. `booking` was read under its lock,
// `by` is above zero and at most its total. The caller updates the amount paid.
Result<Booking> lower_total(store::Transaction& tx, const Booking& booking, const Money& by, const Actor& actor,
                            Instant now);

}  // namespace svc::booking
