// Limits the seats per address that are neither paid nor confirmed (promise S26).
#pragma once

#include <string>

#include "base/booking/record/booking.hpp"
#include "shared/core/result.hpp"
#include "shared/store/store.hpp"

namespace svc::booking {

// Writes down who made the booking, and refuses it when that client's bookings of its departure that wait to be paid
// or confirmed would hold more than `percent` of the seats, and more than ten: one such booking alone, too, or it would
// keep everybody else away until it ends. Called when the booking has its seats, under their lock,
// so that the sum is exact however many processes book; `client` empty: told apart from nobody, never refused.
Result<void> claim_share(store::Transaction& tx, const Booking& booking, const std::string& client,
                         std::int64_t percent);

}  // namespace svc::booking
