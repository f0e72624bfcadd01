// Charges by gateways, from asking for one until the provider's word has become a payment: pages, events, reconciling.
#pragma once

#include <map>

#include "base/identity/tokens.hpp"
#include "base/payment/held_repository.hpp"
#include "base/payment/intent_repository.hpp"
#include "base/payment/refunds.hpp"
#include "base/payment/saved_repository.hpp"
#include "base/payment/service.hpp"
#include "base/platform/limits/rate_limits.hpp"
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

// Whether a booking of that status can be paid by a gateway.
bool is_payable(std::string_view status);
// What the customer's page is given of a charge.
json::Value page_of(const Intent& intent);
// Whose word it is that such a charge was paid: the customer's at a page, or the clock's.
Channel channel_of(const PaymentIntent& intent);

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
        limits::RateLimits& limits;
        // Calls the action's listeners on this thread and returns after the last of them.
        std::function<void(const hooks::Action&, json::Array)> run_in_place;
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
        // The caller has proven the booking. Otherwise the gateway is given no personal data and the answer holds no
        // secret and no reference.
        bool is_proven = false;
    };
    struct Offer {
        std::optional<PaymentIntent> intent = {};  // none: an offline gateway
        json::Value page = json::Value::object();  // what this caller's page is given, as Intent has it
        Money amount;
        std::string instructions = {};
    };
    // What a page needs to pay the booking. The same open charge again while amount and gateway are the same.
    Result<Offer> offer(const Wanted& wanted);

    // The same before there is a booking, for the amount that a session's quote or our staff say. Nothing is taken by
    // it until the booking takes it over, by `confirm`, an event, the way back or the reconciliation.
    struct Holder {
        std::optional<std::int64_t> session_id = {};
        std::optional<std::int64_t> user_id = {};  // of staff, when it is nobody's session
        Money amount;
        std::string description = {};
    };
    Result<Offer> hold(const Wanted& begun, const Holder& holder);

    // What an owner's page needs to pay the balance: a token of half an hour, the booking, the gateways.
    Result<json::Value> open_remaining(std::int64_t booking_id);
    // The booking that such a token was given for; session_expired.
    Result<std::int64_t> remaining_of(std::string_view token);
    // What that session shows of the balance by now; session_expired, also to another account.
    // A read renews it, as it does any session.
    Result<json::Value> read_remaining(std::string_view token, const api::Caller& caller);
    // Ends it: the token proves nothing any more.
    Result<void> close_remaining(std::string_view token, const api::Caller& caller);

    struct Claim {
        std::string gateway;
        std::int64_t booking_id = 0;
        std::string transaction_id;  // the charge's or the capture's, as the page knows it
        json::Value proof = json::Value::object();
        bool by_staff = false;  // who may name the booking of a charge that staff prepared without one
    };
    struct Outcome {
        Progress progress = Progress::waiting;
        std::optional<Payment> payment = {};
        bool repeated = false;
        std::int64_t booking_id = 0;
    };
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

    struct Received {
        bool duplicate = false;
    };
    // Events of a provider. Thrown or failed: the provider is to send them again.
    Result<Received> receive(std::string_view gateway, const WebhookCall& call);

    // A charge by a saved method without the customer there. The same key again is the same charge.
    struct SavedWanted {
        std::int64_t booking_id = 0, method_id = 0;
        std::optional<Money> amount = {};  // the balance when absent
        std::string key;
        bool scheduled = false;  // by the clock, not by our staff
    };
    Result<Outcome> charge_saved(const SavedWanted& wanted);
    // What its customer may be charged by later because they agreed to it as they made that payment.
    struct Kept {
        std::optional<std::int64_t> method_id = {};
        std::string gateway = {};
        bool keeps_methods = false;  // whether that gateway can
    };
    Result<Kept> kept_with(std::int64_t payment_id);
    std::vector<StoredMethod> methods_of(std::int64_t user_id);
    // The methods that the booking's customer can be charged by now.
    Result<std::vector<StoredMethod>> chargeable(std::int64_t booking_id);
    // Takes a method of that user away, here and at the provider.
    Result<void> forget_method(std::int64_t user_id, std::int64_t method_id);

    // Asks providers about charges nobody came back from and refunds they never answered; at most a hundred.
    Result<json::Value> reconcile(Instant now);
    // Whether the provider takes the stored credentials.
    Result<std::string> probe(std::string_view gateway);

    [[nodiscard]] std::string invoice_token(const Payment& payment) const {
        return parts_.payments.invoice_token(payment);
    }
    // In the world that a charge was begun in; none: the site's at present.
    [[nodiscard]] Situation situation(const OfferedGateway& gateway, std::optional<bool> is_test = {}) const;
    [[nodiscard]] std::string confirmation_page(const booking::Booking& booking) const;

  private:
    struct Prepared {
        PaymentIntent intent;
        booking::Booking booking;
    };
    [[nodiscard]] Result<Money> asked(const Wanted& wanted, const booking::Booking& booking,
                                      store::Transaction* tx = nullptr) const;
    // What a charge of the balance asks for: all of it, unless a listener asks for less.
    [[nodiscard]] Money balance_asked(const booking::Booking& booking, store::Transaction* tx = nullptr) const;
    [[nodiscard]] bool pays_balance_offline(const booking::Booking& booking) const;
    [[nodiscard]] json::Value balance_session(const booking::Booking& booking, Instant opened_at,
                                              Instant expires_at) const;
    std::optional<std::pair<identity::Token, booking::Booking>> remaining(std::string_view token,
                                                                          const api::Caller& caller);
    Result<Prepared> prepare(const Wanted& wanted, const OfferedGateway& gateway);
    Result<Offer> ask_for(const OfferedGateway& gateway, Prepared prepared);
    // Asks the gateway for the charge. payment_error: it said no, and nothing was made.
    // Listeners of svc_before_payment_processing have returned before; `booking`: on the wire, or an empty object.
    Result<Intent> ask(const OfferedGateway& gateway, const PaymentIntent& charge, IntentRequest request,
                       const json::Value& booking);
    static PaymentIntent fresh_charge(const Wanted& wanted, const OfferedGateway& gateway, const Money& amount,
                                      Instant now);
    // Tells of a page that named another amount.
    void compare(store::Transaction& tx, const Wanted& wanted, const Money& amount, const json::Value& booking_id);
    // What the page of who began that charge is given.
    static Offer shown(PaymentIntent charge, json::Value page, const OfferedGateway& gateway);
    // What the gateway is asked for: personal data for a caller who has proven the booking, nothing but the sum else.
    static IntentRequest request_for(const PaymentIntent& charge, const booking::Booking& booking);
    // Takes the addresses that were named over those from before; whether any is another one.
    static bool replace_addresses(PaymentIntent& charge, const Wanted& wanted);
    [[nodiscard]] Result<void> own_urls(const Wanted& wanted) const;
    [[nodiscard]] bool is_own_url(std::string_view url) const;
    // A test's, where its gateway is live.
    [[nodiscard]] bool is_foreign(store::Session& session, const PaymentIntent& charge) const;

    Result<HeldCharge> prepare_held(const Wanted& wanted, const OfferedGateway& gateway, const Holder& holder);
    // Who wants a charge for a booking: its page, by name, or a provider's paid word; or nobody but the clock and the
    // provider, for which it must be just what the booking asks for.
    enum class Wants : std::uint8_t { by_name, by_itself };
    // The booking's charge from now on; none: it does not fit, or was let go. Under the booking's lock.
    std::optional<PaymentIntent> adopt(store::Transaction& tx, std::int64_t held_id, const booking::Booking& booking,
                                       Wants wants, Instant now);
    Result<std::optional<PaymentIntent>> take_over(const HeldCharge& held, std::int64_t booking_id, Wants wants);
    // The charge that waits for that booking, by what a page calls it.
    Result<std::optional<PaymentIntent>> claimed(const Claim& claim, bool by_any_name);
    Result<json::Value> reconcile_held(Instant now);
    Result<Outcome> charge_by(const PaymentIntent& intent, const StoredMethod& stored, const OfferedGateway& gateway,
                              const booking::Booking& booking);
    Result<Outcome> charge_again(const PaymentIntent& intent);
    // What has become of a charge that was begun under that key.
    Result<Outcome> charge_known(const PaymentIntent& intent);
    // Whether the operator lets this gateway keep methods for later charges.
    [[nodiscard]] bool saves_methods(const OfferedGateway& gateway) const;
    // What the provider calls the customer, in that charge's world; empty: it does not know them yet.
    std::string customer_at(const booking::Booking& booking, const PaymentIntent& charge);
    Result<void> let_go(HeldCharge held, Instant now);
    [[nodiscard]] std::string seal_page(const PaymentIntent& intent, const json::Value& page) const;
    [[nodiscard]] json::Value open_page(const PaymentIntent& intent) const;

    [[nodiscard]] std::string booking_page(std::string_view said) const;
    static std::string said_on(std::string page, std::string_view said);
    std::string recorded_page(std::string_view gateway, const Return& back, const Payment& payment);
    std::string page_after(const PaymentIntent& charge, bool is_booked, std::string_view said);
    std::string paid_page(std::string_view gateway, const Return& back);
    // Asks the provider and lets its word take effect.
    Result<Outcome> look_into(const PaymentIntent& intent, std::string_view transaction_id, const json::Value& proof);
    static Result<Outcome> recorded_by_hand(const Claim& claim, const std::optional<Payment>& recorded);
    Result<Outcome> refuse_foreign(const PaymentIntent& intent);
    Result<Outcome> settle(std::int64_t intent_id, const Charge& charge);
    Result<Outcome> settle(store::Transaction& tx, const booking::Booking& booking, const PaymentIntent& intent,
                           const Charge& charge, Channel channel, Instant now);
    Result<Outcome> paid(store::Transaction& tx, const booking::Booking& booking, const PaymentIntent& intent,
                         const Charge& charge, Channel channel, Instant now);
    Outcome declined(store::Transaction& tx, const booking::Booking& booking, const PaymentIntent& intent,
                     const Charge& charge, Instant now);
    Result<void> no_longer_under_way(store::Transaction& tx, const booking::Booking& booking, std::string_view why,
                                     Instant now);
    [[nodiscard]] std::string title_of(std::string_view gateway) const;
    // What of a charge does not fit what was asked; empty: it fits.
    [[nodiscard]] static std::string misfit(const PaymentIntent& intent, const Charge& charge);

    // Whether a provider is asked for the proof of an event, which anybody may have sent.
    Result<Proof> may_ask(const std::string& gateway, const Event& claimed, bool is_recent, std::string_view body_hash);
    struct Taken {
        bool duplicate = false, wants_look = false;
    };
    Taken take_event(const std::string& gateway, const Event& event, std::string_view body_hash);
    struct Effect {
        std::string_view status = "ignored";  // processed, ignored, parked
        std::string note = {};
        std::optional<std::int64_t> booking_id = {};
        bool wants_look = false;
        bool is_as_kept = false;  // as the inbox has it already
    };
    Effect effect_of(store::Transaction& tx, std::string_view gateway, const Event& event, Instant now);
    Effect paid_event(store::Transaction& tx, const booking::Booking& booking, const PaymentIntent& intent,
                      const Event& event, Instant now);
    // What came before its payment, or told what we had not asked for yet. Whether there was any.
    bool apply_parked(store::Transaction& tx, const Payment& payment, const PaymentIntent& intent, Instant now);
    void count(std::string_view what, std::string_view gateway, std::string_view outcome) const;

    Parts parts_;
};

}  // namespace svc::payment
