// What bookings ask of their payments, which stand above: implemented by payment, handed in by the assembly.
#pragma once

#include "base/booking/booking.hpp"
#include "shared/store/store.hpp"

namespace svc::booking {

class Payments {
  public:
    virtual ~Payments() = default;

    // -- inside the write's transaction, the booking's row locked
    // One completed payment by hand; the booking's sums, status and events follow as for any other.
    virtual Result<void> receive(store::Transaction& tx, const Booking& booking, const Money& amount,
                                 std::optional<std::int64_t> user_id, Instant now) = 0;
    // The booking's total is another one: what is paid of it is reckoned anew.
    virtual Result<void> reckon(store::Transaction& tx, const Booking& booking, Instant now) = 0;
    // Deletes its payments; svc_in_use while a completed one is among them, which is an accounting record.
    virtual Result<void> forget(store::Transaction& tx, std::int64_t booking_id) = 0;

    // -- reading
    // Whether somebody has begun to pay it, or staff wait for a payment: no sweep takes it away then.
    [[nodiscard]] virtual bool is_awaited(store::Session& session, std::int64_t booking_id, Instant now) const = 0;
};

}  // namespace svc::booking
