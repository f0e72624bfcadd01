// What pages and browsers say was paid, looked into with the provider.
#pragma once

#include "base/payment/checkout/held_charges.hpp"

namespace svc::payment {

// Any thread. Nothing here calls a gateway inside a transaction or under a lock.
class Confirmations {
  public:
    Confirmations(const CheckoutParts& parts, Settlement& settlement, HeldCharges& held)
        : parts_(parts), settlement_(settlement), held_(held) {}

    // Looks into what a page says was paid, with the provider.
    Result<Outcome> confirm(const Claim& claim);
    // What the address says that a browser comes back by: names of the charge, none of them guessable.
    struct Return {
        std::string key = {};                   // ours
        std::vector<std::string> charges = {};  // as the provider calls the charge, or its capture
        std::string payment = {};               // a payment of the booking's charge, where they have names of their own
        std::optional<std::int64_t> booking_id = {};  // never enough, but it has to fit
        json::Value proof = json::Value::object();
        bool cancelled = false;
    };
    // The browser is back from the provider: where it goes on to. Nothing in the address but those names is believed,
    // and a page that names the booking is for a charge of its customer's alone. invalid_gateway: there is no such
    // gateway.
    Result<std::string> returned(std::string_view gateway, const Return& back);

  private:
    static Result<Outcome> recorded_by_hand(const Claim& claim, const std::optional<Payment>& recorded);
    [[nodiscard]] std::string booking_page(std::string_view said) const;
    static std::string said_on(std::string page, std::string_view said);
    std::string recorded_page(std::string_view gateway, const Return& back, const Payment& payment);
    std::string page_after(const PaymentIntent& charge, bool is_booked, std::string_view said);
    std::string paid_page(std::string_view gateway, const Return& back);

    const CheckoutParts& parts_;
    Settlement& settlement_;
    HeldCharges& held_;
};

}  // namespace svc::payment
