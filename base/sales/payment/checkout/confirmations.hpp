// Checks payments that pages and browsers report with the provider.
#pragma once

#include "base/sales/payment/checkout/held_charges.hpp"

namespace svc::payment {

// Any thread. Nothing here calls a gateway inside a transaction or under a lock.
class Confirmations {
  public:
    Confirmations(const CheckoutParts& parts, Settlement& settlement, HeldCharges& held)
        : parts_(parts), settlement_(settlement), held_(held) {}

    // Checks a page's claim of a payment with the provider.
    Result<Outcome> confirm(const Claim& claim);
    // The parameters of the return address: ids of the charge, none of them guessable.
    struct Return {
        std::string key = {};                   // ours
        std::vector<std::string> charges = {};  // as the provider calls the charge, or its capture
        std::string payment = {};  // a payment of the booking's charge, for gateways that name them separately
        std::optional<std::int64_t> booking_id = {};  // never enough, but it has to fit
        json::Value proof = json::Value::object();
        bool cancelled = false;
    };
    // Where a browser that comes back from the provider goes next. Trusts only those ids, and names the booking only
    // for a charge of its customer. invalid_gateway: there is no such gateway.
    Result<std::string> returned(std::string_view gateway, const Return& back);

  private:
    static Result<Outcome> recorded_by_hand(const Claim& claim, const std::optional<Payment>& recorded);
    [[nodiscard]] std::string booking_page(std::string_view message) const;
    static std::string with_message(std::string page, std::string_view message);
    std::string recorded_page(std::string_view gateway, const Return& back, const Payment& payment);
    std::string page_after(const PaymentIntent& charge, bool is_booked, std::string_view message);
    std::string paid_page(std::string_view gateway, const Return& back);

    const CheckoutParts& parts_;
    Settlement& settlement_;
    HeldCharges& held_;
};

}  // namespace svc::payment
