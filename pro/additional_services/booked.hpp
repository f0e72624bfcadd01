// The additional services of bookings.
#pragma once

#include "pro/additional_services/additional_service.hpp"

namespace svc::pro::additional_services {

// Replaces a booking's services; skips services of others.
void store_booked(store::Transaction& tx, std::int64_t booking_id, const json::Value& services, Instant now);
// As the price lists them.
json::Value booked_services(store::Session& session, std::int64_t booking_id);

}  // namespace svc::pro::additional_services
