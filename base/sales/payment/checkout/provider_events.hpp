// Processes providers' events: each once, in any order.
#pragma once

#include "base/sales/payment/checkout/held_charges.hpp"

namespace svc::payment {

// Any thread.
class ProviderEvents {
  public:
    ProviderEvents(const CheckoutParts& parts, const GatewayCalls& calls, Settlement& settlement, HeldCharges& held)
        : parts_(parts), calls_(calls), settlement_(settlement), held_(held) {}

    struct Received {
        bool duplicate = false;
    };
    // Thrown or failed: the provider is to send them again.
    Result<Received> receive(std::string_view gateway, const WebhookCall& call);

  private:
    // Limits the requests that prove events, since any client may send one.
    Result<Proof> limit_inquiries(const std::string& gateway, const Event& claimed, bool is_recent,
                                  std::string_view body_hash);
    struct Taken {
        bool duplicate = false, wants_look = false;
    };
    Taken take_event(const std::string& gateway, const Event& event, std::string_view body_hash);
    struct Effect {
        std::string_view status = "ignored";  // processed, ignored, parked
        std::string note = {};
        std::optional<std::int64_t> booking_id = {};
        bool wants_look = false;
        bool equals_kept = false;                    // as the inbox has it already
        std::optional<std::int64_t> waits_for = {};  // the held charge whose booking is to come
    };
    Effect effect_of(store::Transaction& tx, std::string_view gateway, const Event& event, Instant now);
    Effect paid_event(store::Transaction& tx, const booking::Booking& booking, const PaymentIntent& intent,
                      const Event& event, Instant now);

    const CheckoutParts& parts_;
    const GatewayCalls& calls_;
    Settlement& settlement_;
    HeldCharges& held_;
};

}  // namespace svc::payment
