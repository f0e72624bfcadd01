// Turns a provider's result into a payment.
#pragma once

#include "base/sales/payment/checkout/gateway_calls.hpp"

namespace svc::payment {

// The outcome of a charge.
struct Outcome {
    Progress progress = Progress::waiting;
    std::optional<Payment> payment = {};
    bool repeated = false;
    std::int64_t booking_id = 0;
};

// The source that reports such a charge as paid: the customer's page or a job.
Channel channel_of(const PaymentIntent& intent);
// Whether the payment belongs to the charge: the ids that a page may send.
bool is_named(const PaymentIntent& intent, std::string_view transaction_id);
// The first difference between charge and intent; empty: it matches.
std::string misfit(const PaymentIntent& intent, const Charge& charge);

// Any thread. Nothing here calls a gateway inside a transaction or under a lock.
class Settlement {
  public:
    Settlement(const CheckoutParts& parts, const GatewayCalls& calls) : parts_(parts), calls_(calls) {}

    // Asks the provider for the charge's result and applies it.
    Result<Outcome> look_into(const PaymentIntent& intent, std::string_view transaction_id, const json::Value& proof);
    // Applies the provider's result, under the booking's lock. payment_error: it differs from the request, which is
    // recorded in the transaction.
    Result<Outcome> settle(store::Transaction& tx, const booking::Booking& booking, const PaymentIntent& intent,
                           const Charge& charge, Channel channel, Instant now);
    // A booking waits for a capture while one is under way, and no longer.
    Result<void> no_longer_under_way(store::Transaction& tx, const booking::Booking& booking, std::string_view why,
                                     Instant now);

  private:
    Result<Outcome> settle(std::int64_t intent_id, const Charge& charge);
    Result<Outcome> refuse_foreign(const PaymentIntent& intent);
    Result<Outcome> paid(store::Transaction& tx, const booking::Booking& booking, const PaymentIntent& intent,
                         const Charge& charge, Channel channel, Instant now);
    Outcome declined(store::Transaction& tx, const booking::Booking& booking, const PaymentIntent& intent,
                     const Charge& charge, Instant now);
    // Applies events that arrived before their payment or its request. Whether there were any.
    bool apply_parked(store::Transaction& tx, const Payment& payment, const PaymentIntent& intent, Instant now);
    [[nodiscard]] std::string title_of(std::string_view gateway) const;

    const CheckoutParts& parts_;
    const GatewayCalls& calls_;
};

}  // namespace svc::payment
