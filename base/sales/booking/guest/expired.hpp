// Bookings that expired unpaid, as the guests whose tokens have ended with them may still see them.
#pragma once

#include <optional>
#include <string_view>

#include "base/sales/booking/record/service.hpp"
#include "shared/store/store.hpp"

namespace svc::booking {

// Detail of a booking that expired unpaid, for a week, by the token that its expiry ended: whoever held it may see what
// became of it and book again. Nothing: the secret is no such, or the booking ended otherwise. Any thread.
std::optional<json::Value> expired_unpaid(const Service& bookings, store::Store& store, std::string_view secret,
                                          std::int64_t booking_id, Instant now);

}  // namespace svc::booking
