// The order of locks for ending a booking.
#pragma once

#include "base/availability/services.hpp"
#include "base/booking/record/service.hpp"

namespace svc::booking {

// The booking under its lock, its seats' lock first, as every writer takes them.
inline std::optional<Booking> lock_with_seats(Service& bookings, store::Transaction& tx, std::int64_t id) {
    availability::Seats::lock_of(tx, id);
    return bookings.lock(tx, id);
}

}  // namespace svc::booking
