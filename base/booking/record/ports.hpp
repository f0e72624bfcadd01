// What bookings ask of their payments, which stand above: implemented by payment, handed in by the assembly.
#pragma once

#include "base/booking/record/booking.hpp"
#include "shared/store/store.hpp"

namespace svc::booking {

// What a gateway says of paying later.
struct Deadline {
    std::int64_t days = 0;                // from making to the deadline
    std::int64_t grace = 0;               // from there to the end
    std::vector<std::int64_t> reminders;  // days before the deadline, descending
};

class Payments {
  public:
    virtual ~Payments() = default;

    // -- inside the write's transaction, the booking's row locked
    // One completed payment by hand; the booking's sums, status and events follow as for any other.
    virtual Result<void> receive(store::Transaction& tx, const Booking& booking, const Money& amount,
                                 std::optional<std::int64_t> user_id, Instant now) = 0;
    // Whether receiving that much would confirm a booking that is pending.
    [[nodiscard]] virtual bool confirms(store::Transaction& tx, const Booking& booking, const Money& amount) const = 0;
    // The booking's total is another one: what is paid of it is reckoned anew.
    virtual Result<void> reckon(store::Transaction& tx, const Booking& booking, Instant now) = 0;
    // The booking does not stand any more: no page may pay it, and nothing is charged for it by the clock.
    virtual void called_off(store::Transaction& tx, std::int64_t booking_id, Instant now) = 0;
    // Deletes its payments; svc_in_use while a completed one is among them, which is an accounting record.
    virtual Result<void> forget(store::Transaction& tx, std::int64_t booking_id) = 0;

    // -- reading
    // Whether a booking can be of that gateway: a registered one, or an instrument that staff take by hand.
    [[nodiscard]] virtual bool takes(std::string_view gateway) const = 0;
    // Adds what is seen of its payments, more of each by staff: payments, payment_transaction_id.
    virtual void tell(store::Session& session, std::int64_t booking_id, bool for_staff, json::Value& detail) const = 0;
    // The part of the total that this gateway is content with for now, of a booking that is to be paid in full.
    [[nodiscard]] virtual std::optional<Rate> deposit_of(store::Session& session, const std::string& gateway) const = 0;
    // Of the gateway that bookings are paid later by; nothing when it is not in use.
    [[nodiscard]] virtual std::optional<std::pair<std::string, Deadline>> deadline() const = 0;
    // Whether somebody has begun to pay it, or staff wait for a payment: no sweep takes it away then.
    [[nodiscard]] virtual bool is_awaited(store::Session& session, std::int64_t booking_id, Instant now) const = 0;
};

}  // namespace svc::booking
