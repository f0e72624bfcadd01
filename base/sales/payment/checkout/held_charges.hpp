// Charges before there is a booking: attached to the booking when it is created, else cancelled.
#pragma once

#include "base/sales/payment/checkout/held_repository.hpp"
#include "base/sales/payment/checkout/settlement.hpp"

namespace svc::payment {

// A page's report of a payment.
struct Claim {
    std::string gateway;
    std::int64_t booking_id = 0;
    std::string transaction_id;  // the charge's or the capture's, as the page knows it
    json::Value proof = json::Value::object();
    bool by_staff = false;  // may name the booking of a charge that staff prepared without one
};

// Any thread. Nothing here calls a gateway inside a transaction or under a lock.
class HeldCharges {
  public:
    HeldCharges(const CheckoutParts& parts, const GatewayCalls& calls, Settlement& settlement)
        : parts_(parts), calls_(calls), settlement_(settlement) {}

    // The source that attaches a charge to a booking: its page or a provider's event, by id; or a job, which needs the
    // booking's exact amount.
    enum class Wants : std::uint8_t { by_name, by_itself };
    // The booking's charge from now on; none: it does not fit, or was let go. Under the booking's lock.
    std::optional<PaymentIntent> adopt(store::Transaction& tx, std::int64_t held_id, const booking::Booking& booking,
                                       Wants wants, Instant now);
    Result<std::optional<PaymentIntent>> take_over(const HeldCharge& held, std::int64_t booking_id, Wants wants);
    // The charge waiting for that booking, by the page's ids.
    Result<std::optional<PaymentIntent>> claimed(const Claim& claim, bool by_any_name);
    // A booking was made: what providers said of its session's charge before counts now, by asking them at once.
    void booked(std::int64_t booking_id);
    // Attaches charges to bookings created meanwhile and cancels others, at most a hundred.
    Result<json::Value> reconcile(Instant now);

  private:
    Result<void> cancel_charge(HeldCharge held, Instant now);

    const CheckoutParts& parts_;
    const GatewayCalls& calls_;
    Settlement& settlement_;
};

}  // namespace svc::payment
