// The order of locks for ending a booking.
#pragma once

#include "base/sales/availability/services.hpp"
#include "base/sales/booking/record/service.hpp"

namespace svc::booking {

// Locks the booking after its seats. Every writer takes its locks in that order, so none waits for another in a circle.
inline std::optional<Booking> lock_with_seats(store::Transaction& tx, std::int64_t id) {
    availability::Seats::lock_of(tx, id);
    return Service::lock(tx, id);
}

}  // namespace svc::booking
