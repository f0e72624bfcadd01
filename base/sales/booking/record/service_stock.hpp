// Whether a departure has the additional services that a booking brings to it.
#pragma once

#include "base/sales/booking/record/booking.hpp"
#include "shared/core/result.hpp"
#include "shared/hooks/hooks.hpp"

namespace svc::booking {

inline const hooks::Filter services_short{
    "svc_booking_services_short",
    "The additional services of a booking that its departure has too few of: objects with id, name and left. Applied in"
    " the transaction of a change without a new price, when the booking moves or takes effect again; booking is as it"
    " will be. Any entry refuses the change.",
    json::Kind::array,
    {"booking_id", "booking"},
    R"([{"name": "", "left": 1}])"};

// svc_conflict that names the first service of which too few are left. A change with a new price needs no call: its
// services are sold again.
Result<void> services_fit(const hooks::Hooks& hooks, store::Transaction& tx, const Booking& booking);

}  // namespace svc::booking
