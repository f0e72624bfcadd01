// Prepares a charge with the provider for a page; returns the same one again while nothing has changed.
#pragma once

#include "base/sales/payment/checkout/held_repository.hpp"
#include "base/sales/payment/checkout/saved_methods.hpp"

namespace svc::payment {

// Whether a booking of that status can be paid by a gateway.
bool is_payable(std::string_view status);
// The parts of a charge for the customer's page.
json::Value page_of(const Intent& intent);

// Any thread. Nothing here calls a gateway inside a transaction or under a lock.
class Offers {
  public:
    Offers(const CheckoutParts& parts, const GatewayCalls& calls, SavedMethods& saved)
        : parts_(parts), calls_(calls), saved_(saved) {}

    struct Request {
        std::string gateway;
        std::int64_t booking_id = 0;
        std::optional<std::string> client_amount = {}, client_currency = {};  // not believed
        std::string return_url = {}, cancel_url = {};  // of this site; empty: its confirmation page
        bool save_method = false;
        bool remaining = false;         // the whole balance instead of the amount due now
        bool next_installment = false;  // of the booking's plan, where it has one, instead of all that is left
        // The caller has proven the booking. Otherwise the gateway is given no personal data and the answer holds no
        // secret and no reference.
        bool is_proven = false;
        // By a pay link, which may have been passed on: its charge tells holder and provider reference, trip and
        // amount, and keeps no method for the customer.
        bool by_pay_link = false;
    };
    struct Offer {
        std::optional<PaymentIntent> intent = {};  // none: an offline gateway
        json::Value page = json::Value::object();  // the data for this caller's page, as in Intent
        Money amount;
        std::string instructions = {};
    };
    // Prepares a payment of the booking. Returns the same open charge while amount and gateway stay the same.
    Result<Offer> offer(const Request& request);

    // The same before there is a booking, for the amount of a session's quote or of staff. Nothing is captured until a
    // booking takes it over, by Confirmations, an event or the reconciliation.
    struct Holder {
        std::optional<std::int64_t> session_id = {};
        std::optional<std::int64_t> user_id = {};  // of staff, without a session
        Money amount;
        std::string description = {};
    };
    Result<Offer> hold(const Request& request, const Holder& holder);

    // The amount of a charge for the balance: all of it, unless a listener lowers it.
    [[nodiscard]] Money balance_requested(const booking::Booking& booking, store::Transaction* tx = nullptr) const;
    [[nodiscard]] bool pays_balance_offline(const booking::Booking& booking) const;

  private:
    struct Prepared {
        PaymentIntent intent;
        booking::Booking booking;
    };
    struct Installment {
        Money amount;
        bool binds = false;  // no more than it can be paid
    };
    // The first installment of the plan that is not paid, of a booking whose first payment was made; else nothing.
    [[nodiscard]] std::optional<Installment> installment_of(const booking::Booking& booking,
                                                            store::Transaction* tx) const;
    [[nodiscard]] Result<Money> amount_requested(const Request& request, const booking::Booking& booking,
                                                 store::Transaction* tx = nullptr) const;
    Result<Prepared> prepare(const Request& request, const OfferedGateway& gateway);
    Result<Offer> ask_for(const OfferedGateway& gateway, Prepared prepared);
    // Requests the charge from the gateway. payment_error: the gateway rejected it, and nothing was created. Listeners
    // of svc_before_payment_processing ran before; `booking`: its JSON, or an empty object.
    Result<Intent> ask(const OfferedGateway& gateway, const PaymentIntent& charge, IntentRequest request,
                       const json::Value& booking);
    static PaymentIntent fresh_charge(const Request& request, const OfferedGateway& gateway, const Money& amount,
                                      Instant now);
    // Emits svc_payment_amount_mismatch if a page sent another amount.
    void compare(store::Transaction& tx, const Request& request, const Money& amount, const json::Value& booking_id);
    // The data for the page of the caller who created the charge.
    static Offer offer_page(PaymentIntent charge, json::Value page, const OfferedGateway& gateway);
    // The request to the gateway: with personal data if the caller proved the booking, else with the amount only.
    static IntentRequest request_for(const PaymentIntent& charge, const booking::Booking& booking);
    // Takes the addresses that were named over those from before; whether any is another one.
    static bool replace_addresses(PaymentIntent& charge, const Request& request);
    [[nodiscard]] Result<void> own_urls(const Request& request) const;
    [[nodiscard]] bool is_own_url(std::string_view url) const;
    Result<HeldCharge> prepare_held(const Request& request, const OfferedGateway& gateway, const Holder& holder);
    [[nodiscard]] std::string seal_page(const PaymentIntent& intent, const json::Value& page) const;
    [[nodiscard]] json::Value open_page(const PaymentIntent& intent) const;

    const CheckoutParts& parts_;
    const GatewayCalls& calls_;
    SavedMethods& saved_;
};

}  // namespace svc::payment
