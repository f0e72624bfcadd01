// Limits the seats per address that are neither paid nor confirmed (promise S26).
#pragma once

#include <string>

#include "base/sales/booking/record/booking.hpp"
#include "shared/core/result.hpp"
#include "shared/store/store.hpp"

namespace svc::booking {

// Stores the client that made the booking. Rejects the booking when that client's unpaid or unconfirmed bookings of its
// departure would hold more than `percent` of the seats, and more than ten: even a single one, since it would block
// other customers until it expires. Called when the booking has its seats, under their lock, so that the sum is exact
// with any number of processes. An empty `client` is never rejected.
Result<void> claim_share(store::Transaction& tx, const Booking& booking, const std::string& client,
                         std::int64_t percent);

}  // namespace svc::booking
