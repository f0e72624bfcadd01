// The gateway stripe: which call answers which question.
#include "pro/gateways/stripe.hpp"

#include "pro/gateways/signature.hpp"
#include "pro/gateways/stripe_wire.hpp"

namespace svc::pro::gateways {
namespace {

using json::Value;
using payment::Situation;

constexpr auto stripe_keys_page = "https://docs.stripe.com/keys";

// Those that a page pays with by the intent alone, without further answers of ours.
plugin::GatewayField methods_field() {
    return {.id = "enabled_methods",
            .type = "multiselect",
            .label = "Ways to pay",
            .description = "Payment methods to offer; none selected uses the account's dashboard settings.",
            .fallback = Value::array(),
            .options = {"card", "link", "affirm", "afterpay_clearpay", "alipay", "amazon_pay", "bancontact", "cashapp",
                        "eps", "ideal", "klarna", "p24", "paypal", "revolut_pay", "sepa_debit", "twint",
                        "us_bank_account"}};
}

plugin::GatewayField statement_field() {
    auto field = text_field("statement_descriptor", "On the statement",
                            "Suffix on the card statement; unsupported characters are removed.");
    field.most = static_cast<std::int64_t>(stripe::longest_descriptor);
    return field;
}

plugin::GatewayField key_field(plugin::GatewayField field, bool test_mode, const char* placeholder,
                               std::vector<std::string> begins) {
    field = of_world(std::move(field), test_mode, placeholder, stripe_keys_page);
    field.begins = std::move(begins);
    field.is_public = !field.secret;
    return field;
}

plugin::GatewayInfo stripe_info() {
    plugin::GatewayInfo info{
        .id = "stripe",
        .title = default_text("Card"),
        .description = default_text("Pay by card or wallet."),
        .icon = "",
        .supports = {std::string(payment::ability::payments), std::string(payment::ability::webhooks),
                     std::string(payment::ability::refunds), std::string(payment::ability::saved_methods),
                     std::string(payment::ability::connection), std::string(payment::ability::holds)},
        .fields = {key_field(text_field("live_publishable_key", "Publishable key", "Begins with pk_live_."), false,
                             "pk_live_…", {"pk_live_"}),
                   key_field(
                       required(secret_field("live_secret_key", "Secret key", "Begins with sk_live_ or rk_live_.")),
                       false, "sk_live_…", {"sk_live_", "rk_live_"}),
                   key_field(text_field("test_publishable_key", "Publishable key for tests", "Begins with pk_test_."),
                             true, "pk_test_…", {"pk_test_"}),
                   key_field(required(secret_field("test_secret_key", "Secret key for tests",
                                                   "Begins with sk_test_ or rk_test_.")),
                             true, "sk_test_…", {"sk_test_", "rk_test_"}),
                   methods_field(), statement_field()},
        .requires_pro = true,
        .webhook_headers = {"Card-Signature", "Stripe-Signature"},
        .sandbox_url = "https://dashboard.stripe.com/test"};
    for (auto& field : webhook_secret_fields("Signing secret of events"))
        info.fields.push_back(std::move(field));
    return info;
}

std::string key_of(const Value& config, bool test_mode) {
    return key_of_world(config, test_mode, "test_secret_key", "live_secret_key", {"sk_test_", "rk_test_"},
                        {"sk_live_", "rk_live_"});
}

bool is_stripe_id(std::string_view id, std::string_view prefix) { return is_plain_id(id, prefix, 255); }

class Stripe final : public plugin::Gateway {
  public:
    explicit Stripe(Send send) : send_(std::move(send)) {}

    [[nodiscard]] const plugin::GatewayInfo& info() const override { return info_; }

    [[nodiscard]] bool available(const Value& config, const Money& amount) const override {
        const auto test_mode = config.maybe_boolean("test_mode");  // without it, from an older base: either mode
        const bool has_key =
            !key_of(config, test_mode.value_or(false)).empty() || !key_of(config, test_mode.value_or(true)).empty();
        return has_key && stripe::carries(amount.currency()) &&
               (amount.is_zero() || stripe::units_of(amount).has_value());
    }

    [[nodiscard]] std::vector<Sentence> instructions(const Value&, const Value&) const override { return {}; }

    [[nodiscard]] Result<payment::Intent> intent(const Situation& at,
                                                 const payment::IntentRequest& request) const override {
        if (!stripe::units_of(request.amount))
            return errc::payment_method_unavailable;
        std::string customer =
            is_stripe_id(request.gateway_customer, "cus_") ? request.gateway_customer : std::string();
        if (request.save_method && customer.empty()) {
            SVC_ASSIGN_OR_RETURN(const auto created,
                                 post(at, "/v1/customers", request.key + ":customer",
                                      {{"name", request.customer_name}, {"email", request.customer_email}}));
            customer = text_of(created, "id");
        }
        const auto intent =
            post(at, "/v1/payment_intents", request.key, stripe::intent_form(request, customer, at.config));
        if (!intent)
            return intent.error();
        SVC_ASSIGN_OR_RETURN(const auto charge, stripe::charge_of(*intent));
        return payment::Intent{
            .id = charge.intent_id,
            .progress = charge.progress,
            .client_secret = text_of(*intent, "client_secret"),
            .client = Value::object(
                {{"publishable_key", at.config.text_or(at.sandbox ? "test_publishable_key" : "live_publishable_key")},
                 {"return_url", request.return_url}})};
    }

    [[nodiscard]] Result<payment::Charge> confirm(const Situation& at, const payment::Inquiry& inquiry) const override {
        if (!is_stripe_id(inquiry.intent_id, "pi_"))
            return refused("no payment intent's id");
        // The page may name the intent or its charge.
        if (inquiry.transaction_id.starts_with("pi_") && inquiry.transaction_id != inquiry.intent_id)
            return mistaken("transaction_id", "the page names another intent");
        const std::string path = "/v1/payment_intents/" + inquiry.intent_id;
        auto intent = get(at, path + "?expand%5B%5D=latest_charge.balance_transaction&expand%5B%5D=payment_method");
        if (!intent)
            return intent.error();
        if (inquiry.release && stripe::is_open(*intent)) {
            intent = post(at, path + "/cancel", inquiry.key + ":cancel", {});
            if (!intent)  // it may have been paid or cancelled meanwhile
                return garbled("the release was refused: " + intent.error().cause());
        }
        if (text_of(*intent, "status") == "requires_capture" && inquiry.may_capture) {
            intent = post(at, path + "/capture", inquiry.key + ":capture", {});
            if (!intent)  // it may have been captured meanwhile
                return garbled("the capture was refused: " + intent.error().cause());
        }
        auto charge = stripe::charge_of(*intent);
        if (charge && charge->intent_id != inquiry.intent_id)
            return garbled("the answer is of another intent");
        if (!inquiry.transaction_id.empty() && inquiry.transaction_id != inquiry.intent_id &&
            inquiry.transaction_id != stripe::latest_charge_of(*intent))
            return mistaken("transaction_id", "the page names another charge");
        return charge;
    }

    [[nodiscard]] Result<std::vector<payment::Event>> webhook(const Situation& at,
                                                              const payment::WebhookCall& call) const override {
        std::string signature;
        for (const auto& [name, value] : call.headers)
            if (signature.empty())
                signature = value;
        SVC_RETURN_IF_ERROR(check_timed_signature(signature, call.body, webhook_secrets(at.config), at.now));
        SVC_ASSIGN_OR_RETURN(const auto event, event_object(call.body));
        if (!stripe::is_of_world(event, at.sandbox))
            return Error(errc::webhook_rejected)
                .because(at.sandbox ? "a live event in test mode" : "an event of a test");
        SVC_ASSIGN_OR_RETURN(auto read, stripe::event_of(event));
        return std::vector<payment::Event>{std::move(read)};
    }

    [[nodiscard]] Result<payment::Refund> refund(const Situation& at,
                                                 const payment::RefundRequest& request) const override {
        if (!stripe::units_of(request.amount))
            return refused("no amount that can be refunded");
        const auto refund = post(at, "/v1/refunds", request.key, stripe::refund_form(request));
        return refund ? stripe::refund_of(*refund) : Result<payment::Refund>(refund.error());
    }

    [[nodiscard]] Result<payment::Charge> charge_saved(const Situation& at,
                                                       const payment::SavedCharge& charge) const override {
        if (!stripe::units_of(charge.amount))
            return errc::payment_method_unavailable;
        const auto intent = post(at, "/v1/payment_intents", charge.key, stripe::saved_charge_form(charge, at.config));
        return intent ? stripe::charge_of(*intent) : Result<payment::Charge>(intent.error());
    }

    [[nodiscard]] Result<void> forget_saved(const Situation& at, const payment::SavedMethod& method) const override {
        if (!is_stripe_id(method.method, "pm_") && !is_stripe_id(method.method, "card_"))
            return refused("no payment method's id");
        const auto detached = post(at, "/v1/payment_methods/" + method.method + "/detach", "", {});
        return detached ? Result<void>{} : detached.error();
    }

    [[nodiscard]] Result<std::string> probe(const Situation& at) const override {
        SVC_ASSIGN_OR_RETURN(const auto account, get(at, "/v1/account"));
        return "Stripe accepted the key of account " + text_of(account, "id") + ".";
    }

  private:
    [[nodiscard]] Result<Value> ask(const Situation& at, plugin::FetchRequest request) const {
        const std::string key = key_of(at.config, at.sandbox);
        if (key.empty())
            return refused(at.sandbox ? "no secret key for tests" : "no live secret key");
        request.url = (at.api_base.empty() ? "https://api.stripe.com" : at.api_base) + request.url;
        request.headers.emplace_back("Authorization", "Bearer " + key);
        request.headers.emplace_back("Stripe-Version", stripe::version);
        SVC_ASSIGN_OR_RETURN(auto reply, call(send_, std::move(request)));
        if (!reply.ok())
            return stripe::error_of(reply.status, reply.body);
        return std::move(reply.body);
    }
    [[nodiscard]] Result<Value> get(const Situation& at, std::string path) const {
        return ask(at, {.method = "GET", .url = std::move(path)});
    }
    [[nodiscard]] Result<Value> post(const Situation& at, std::string path, const std::string& key,
                                     const stripe::Form& form) const {
        plugin::FetchRequest request{.method = "POST",
                                     .url = std::move(path),
                                     .headers = {{"Content-Type", "application/x-www-form-urlencoded"}},
                                     .body = stripe::encoded(form)};
        if (!key.empty())
            request.headers.emplace_back("Idempotency-Key", key);
        return ask(at, std::move(request));
    }

    const Send send_;
    const plugin::GatewayInfo info_ = stripe_info();
};

}  // namespace

pages::Origins stripe_origins() {
    return {.script = {"https://js.stripe.com"},
            .frame = {"https://js.stripe.com", "https://hooks.stripe.com"},
            .connect = {"https://api.stripe.com"}};
}

std::unique_ptr<plugin::Gateway> stripe_gateway(Send send) { return std::make_unique<Stripe>(std::move(send)); }

}  // namespace svc::pro::gateways
