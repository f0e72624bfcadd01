// Charges by gateways, from asking for one until the provider's word has become a payment: pages, events, reconciling.
#pragma once

#include <map>

#include "base/payment/intent_repository.hpp"
#include "base/payment/refunds.hpp"
#include "base/payment/service.hpp"
#include "base/platform/metrics/metrics.hpp"

namespace svc::payment {

// Where this installation and its providers meet. Addresses are without a slash at their end.
struct Places {
    std::string site_url = {};                                       // https://site.example
    std::string root = {};                                           // https://site.example/svc/v1
    std::map<std::string, std::string, std::less<>> api_bases = {};  // by gateway; the operator's alone
};
// "paypal=http://127.0.0.1:9" each; another form throws std::runtime_error with a sentence for the operator.
std::map<std::string, std::string, std::less<>> api_bases_of(const std::vector<std::string>& list);

// Any thread. Nothing here calls a gateway inside a transaction or under a lock.
class Checkout {
  public:
    struct Parts {
        store::Store& store;
        hooks::Hooks& hooks;
        settings::Settings& settings;
        Gateways& gateways;
        Service& payments;
        Refunds& refunds;
        booking::Service& bookings;
        const crypto::Keyring& keyring;
        const Clock& clock;
        metrics::Registry& metrics;
        Places places = {};
        std::function<void()> wake_reconciliation = {};
    };
    explicit Checkout(Parts parts) : parts_(std::move(parts)) {}

    struct Wanted {
        std::string gateway;
        std::int64_t booking_id = 0;
        std::optional<std::string> client_amount = {}, client_currency = {};  // not believed
        std::string return_url = {}, cancel_url = {};  // of this site; empty: its confirmation page
        bool save_method = false;
        bool remaining = false;  // the whole balance instead of what is due now
    };
    struct Offer {
        std::optional<PaymentIntent> intent = {};  // none: an offline gateway
        json::Value page = json::Value::object();  // client_secret, payment_url and the gateway's own members
        Money amount;
        std::string instructions = {};
    };
    // What a page needs to pay the booking. The same open charge again while amount and gateway are the same.
    Result<Offer> offer(const Wanted& wanted);

    // What an owner's page needs to pay the balance: a token of half an hour, the booking, the gateways.
    Result<json::Value> open_remaining(std::int64_t booking_id);

    struct Claim {
        std::string gateway;
        std::int64_t booking_id = 0;
        std::string transaction_id;  // the charge's or the capture's, as the page knows it
        json::Value proof = json::Value::object();
    };
    struct Outcome {
        Progress progress = Progress::waiting;
        std::optional<Payment> payment = {};
        bool repeated = false;
        std::int64_t booking_id = 0;
    };
    // Looks into what a page says was paid, with the provider.
    Result<Outcome> confirm(const Claim& claim);
    // The browser is back from the provider: where it goes on to. Nothing in the address but the key is believed.
    std::string returned(std::string_view gateway, std::string_view key, bool cancelled);

    struct Received {
        bool duplicate = false;
    };
    // Events of a provider. Thrown or failed: the provider is to send them again.
    Result<Received> receive(std::string_view gateway, const WebhookCall& call);

    // A charge by a saved method without the customer there, as scheduled payments make them.
    Result<Outcome> charge_saved(std::int64_t booking_id, std::int64_t saved_method_id, const Money& amount,
                                 std::string_view key);

    // Asks providers about charges nobody came back from and refunds they never answered; at most a hundred.
    Result<json::Value> reconcile(Instant now);
    // Whether the provider takes the stored credentials.
    Result<std::string> probe(std::string_view gateway);

    [[nodiscard]] Situation situation(const OfferedGateway& gateway) const;
    [[nodiscard]] std::string confirmation_page(const booking::Booking& booking) const;

  private:
    struct Prepared {
        PaymentIntent intent;
        booking::Booking booking;
    };
    Result<Prepared> prepare(const Wanted& wanted, const OfferedGateway& gateway);
    Result<Offer> ask_for(const Wanted& wanted, const OfferedGateway& gateway, Prepared prepared);
    [[nodiscard]] bool is_own_url(std::string_view url) const;
    [[nodiscard]] std::string seal_page(const PaymentIntent& intent, const json::Value& page) const;
    [[nodiscard]] json::Value open_page(const PaymentIntent& intent) const;

    // Asks the provider and lets its word take effect.
    Result<Outcome> look_into(const PaymentIntent& intent, std::string_view transaction_id, const json::Value& proof);
    Result<Outcome> settle(std::int64_t intent_id, const Charge& charge);
    Result<Outcome> settle(store::Transaction& tx, const booking::Booking& booking, const PaymentIntent& intent,
                           const Charge& charge, Channel channel, Instant now);
    Result<Outcome> paid(store::Transaction& tx, const booking::Booking& booking, const PaymentIntent& intent,
                         const Charge& charge, Channel channel, Instant now);
    Outcome declined(store::Transaction& tx, const booking::Booking& booking, const PaymentIntent& intent,
                     const Charge& charge, Instant now);
    void keep_method(store::Transaction& tx, const booking::Booking& booking, std::string_view gateway,
                     const SavedMethod& method, Instant now);
    [[nodiscard]] std::string title_of(std::string_view gateway) const;
    // What of a charge does not fit what was asked; empty: it fits.
    [[nodiscard]] static std::string misfit(const PaymentIntent& intent, const Charge& charge);

    struct Taken {
        bool duplicate = false, wants_look = false;
    };
    Taken take_event(const std::string& gateway, const Event& event, std::string_view body_hash);
    struct Effect {
        std::string_view status = "ignored";  // processed, ignored, parked
        std::string note = {};
        std::optional<std::int64_t> booking_id = {};
        bool wants_look = false;
    };
    Effect effect_of(store::Transaction& tx, std::string_view gateway, const Event& event, Instant now);
    Effect paid_event(store::Transaction& tx, const PaymentIntent& intent, const Event& event, Instant now);
    void apply_parked_refunds(store::Transaction& tx, const Payment& payment, const PaymentIntent& intent, Instant now);
    void count(std::string_view what, std::string_view gateway, std::string_view outcome) const;

    Parts parts_;
};

}  // namespace svc::payment
