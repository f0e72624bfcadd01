// Bookings whose secrets have ended, as their guests may still see them: expired unpaid, or just paid.
#pragma once

#include <optional>
#include <string_view>

#include "base/booking/record/service.hpp"
#include "shared/store/store.hpp"

namespace svc::booking {

// Detail of a booking that expired unpaid, for a week, by its pay link or the token that its expiry ended: whoever held
// it may see what became of it and book again. Nothing: the secret is no such, or the booking ended otherwise. Any
// thread.
std::optional<json::Value> expired_unpaid(const Service& bookings, store::Store& store, std::string_view secret,
                                          std::int64_t booking_id, Instant now);

// Detail of a booking that was paid in full by its pay link within the last hour: that payment ended the link, and the
// payer sees the outcome. Empty when the secret is no such link or was paid earlier. Any thread.
std::optional<json::Value> just_paid(const Service& bookings, std::string_view secret, std::int64_t booking_id,
                                     Instant now);

}  // namespace svc::booking
