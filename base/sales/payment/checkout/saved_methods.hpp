// Payment methods saved with customers' consent, and charges with them without the customer.
#pragma once

#include "base/sales/payment/checkout/method_repository.hpp"
#include "base/sales/payment/checkout/settlement.hpp"

namespace svc::payment {

// Any thread. Nothing here calls a gateway inside a transaction or under a lock.
class SavedMethods {
  public:
    SavedMethods(const CheckoutParts& parts, const GatewayCalls& calls, Settlement& settlement)
        : parts_(parts), calls_(calls), settlement_(settlement) {}

    // A charge by a saved method without the customer there. The same key again is the same charge.
    struct Request {
        std::int64_t booking_id = 0, method_id = 0;
        std::optional<Money> amount = {};   // the balance when absent
        std::optional<Money> balance = {};  // set: charge_in_progress where the booking owes another amount by now
        std::string key;
        bool scheduled = false;  // by the clock, not by our staff
    };
    Result<Outcome> charge(const Request& request);
    // Repeats a charge without a known outcome: the provider recognizes the key, so that nothing is charged twice.
    Result<Outcome> charge_again(const PaymentIntent& intent);
    // The methods that the customer agreed to save with that payment.
    struct Agreed {
        std::optional<std::int64_t> method_id = {};
        std::string gateway = {};
        bool keeps_methods = false;  // whether that gateway can
    };
    Result<Agreed> agreed_with(std::int64_t payment_id);
    std::vector<StoredMethod> of_user(std::int64_t user_id);
    // The methods that the booking's customer can be charged by now.
    Result<std::vector<StoredMethod>> chargeable(std::int64_t booking_id);
    // Takes a method of that user away, here and at the provider.
    Result<void> forget(std::int64_t user_id, std::int64_t method_id);

    // Whether the operator allows this gateway to save methods.
    [[nodiscard]] bool may_save(const OfferedGateway& gateway) const;
    // The provider's id of the customer, in the charge's mode; empty: unknown to the provider.
    std::string customer_at(const booking::Booking& booking, const PaymentIntent& charge);

  private:
    Result<Outcome> charge_by(const PaymentIntent& intent, const StoredMethod& stored, const OfferedGateway& gateway,
                              const booking::Booking& booking);
    // The outcome of a charge that began with that key.
    Result<Outcome> charge_known(const PaymentIntent& intent);

    const CheckoutParts& parts_;
    const GatewayCalls& calls_;
    Settlement& settlement_;
};

}  // namespace svc::payment
