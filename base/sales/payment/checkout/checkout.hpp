// Charges by gateways, from the request until the provider's result is a payment.
#pragma once

#include "base/sales/booking/checkout/choice.hpp"
#include "base/sales/payment/checkout/balances.hpp"
#include "base/sales/payment/checkout/confirmations.hpp"
#include "base/sales/payment/checkout/provider_events.hpp"

namespace svc::payment {

// The checkout session whose secret a request holds; none: it holds no secret.
using SessionOf = std::function<Result<std::optional<booking::OpenSession>>(const api::Request&)>;

// Its parts, each of which any thread may call.
class Checkout {
    const CheckoutParts parts_;

  public:
    using Parts = CheckoutParts;
    explicit Checkout(Parts parts) : parts_(std::move(parts)) {}

    GatewayCalls calls{parts_};
    Settlement settlement{parts_, calls};
    SavedMethods saved{parts_, calls, settlement};
    HeldCharges held{parts_, calls, settlement};
    Offers offers{parts_, calls, saved};
    Balances balances{parts_, offers};
    Confirmations confirmations{parts_, settlement, held};
    ProviderEvents events{parts_, calls, settlement, held};

    // Asks providers about charges without a confirmation and refunds without a response; at most a hundred.
    Result<json::Value> reconcile(Instant now);
    [[nodiscard]] std::string confirmation_page(const booking::Booking& booking) const {
        return payment::confirmation_page(parts_, booking);
    }
    [[nodiscard]] std::string invoice_token(const Payment& payment) const {
        return parts_.payments.invoice_token(payment);
    }
};

}  // namespace svc::payment
