// The gateway razorpay: which call answers which question.
#include "pro/gateways/razorpay.hpp"

#include "pro/crypto/hmac.hpp"
#include "pro/gateways/razorpay_wire.hpp"
#include "pro/gateways/signature.hpp"

namespace svc::pro::gateways {
namespace {

using json::Value;
using payment::Situation;

constexpr auto razorpay_keys_page = "https://razorpay.com/docs/payments/dashboard/account-settings/api-keys/";
constexpr auto with_card = "?expand%5B%5D=card";

plugin::GatewayField key_id_field(const char* id, const char* label, const std::string& begin) {
    auto field = text_field(id, label, "");
    field.description = "Begins with " + begin + ".";
    field.begins = {begin};
    field.is_public = true;
    field.required = true;
    return field;
}

plugin::GatewayInfo razorpay_info() {
    plugin::GatewayInfo info{
        .id = "razorpay",
        .title = "Razorpay",
        .description = default_text("Pay by card, UPI, wallet or bank."),
        .icon = "",
        .supports = {std::string(payment::ability::payments), std::string(payment::ability::webhooks),
                     std::string(payment::ability::refunds), std::string(payment::ability::saved_methods),
                     std::string(payment::ability::connection)},
        .fields = {of_world(key_id_field("live_key_id", "Key id", "rzp_live_"), false, "rzp_live_…",
                            razorpay_keys_page),
                   of_world(required(secret_field("live_key_secret", "Key secret", "Secret of the key above.")), false,
                            "", razorpay_keys_page),
                   of_world(key_id_field("test_key_id", "Key id for tests", "rzp_test_"), true, "rzp_test_…",
                            razorpay_keys_page),
                   of_world(
                       required(secret_field("test_key_secret", "Key secret for tests", "Secret of the key above.")),
                       true, "", razorpay_keys_page)},
        .requires_pro = true,
        .webhook_headers = {"X-Razorpay-Signature"},
        .sandbox_url = "https://dashboard.razorpay.com"};
    for (auto& field : webhook_secret_fields("Secret of events"))
        info.fields.push_back(std::move(field));
    return info;
}

struct Keys {
    std::string id, secret;
    [[nodiscard]] bool complete() const { return !id.empty() && !secret.empty(); }
};

Keys keys_of(const Value& config, bool test_mode) {
    return {key_of_world(config, test_mode, "test_key_id", "live_key_id", {"rzp_test_"}, {"rzp_live_"}),
            config.text_or(test_mode ? "test_key_secret" : "live_key_secret")};
}

bool is_razorpay_id(std::string_view id, std::string_view prefix) { return is_plain_id(id, prefix, 64); }

std::string header_of(const payment::WebhookCall& call, std::string_view name) {
    for (const auto& [given, value] : call.headers)
        if (given == name)
            return value;
    return {};
}

class Razorpay final : public plugin::Gateway {
  public:
    explicit Razorpay(Send send) : send_(std::move(send)) {}

    [[nodiscard]] const plugin::GatewayInfo& info() const override { return info_; }

    [[nodiscard]] bool available(const Value& config, const Money& amount) const override {
        const auto test_mode = config.maybe_boolean("test_mode");  // without it, from an older base: either mode
        return razorpay::carries(amount) && (keys_of(config, test_mode.value_or(false)).complete() ||
                                             keys_of(config, test_mode.value_or(true)).complete());
    }

    [[nodiscard]] std::vector<Sentence> instructions(const Value&, const Value&) const override { return {}; }

    // Orders know no idempotency key: one made for the same key before is found by its receipt.
    [[nodiscard]] Result<payment::Intent> intent(const Situation& at,
                                                 const payment::IntentRequest& request) const override {
        SVC_ASSIGN_OR_RETURN(const auto customer,
                             request.save_method ? customer_of(at, request) : Result<std::string>(std::string()));
        SVC_ASSIGN_OR_RETURN(
            const auto id, order_id(at, request.amount, request.key, razorpay::order_body(request, customer, at.now)));
        Value client = Value::object({{"key_id", keys_of(at.config, at.sandbox).id},
                                      {"order_id", id},
                                      {"amount", request.amount.minor()},
                                      {"currency", request.amount.currency().code()},
                                      {"name", request.customer_name},
                                      {"email", request.customer_email}});
        if (!customer.empty()) {
            client.set("customer_id", customer);
            client.set("recurring", "1");
        }
        return payment::Intent{.id = id, .client = std::move(client)};
    }

    [[nodiscard]] Result<payment::Charge> confirm(const Situation& at, const payment::Inquiry& inquiry) const override {
        if (!is_razorpay_id(inquiry.intent_id, "order_"))
            return refused("no order's id");
        auto payment = payment_of(at, inquiry);
        if (!payment)
            return payment.error();
        if (payment->is_null())
            return payment::Charge{.intent_id = inquiry.intent_id};
        SVC_ASSIGN_OR_RETURN(auto charge, razorpay::charge_of(*payment));
        if (charge.intent_id != inquiry.intent_id)
            return mistaken("transaction_id", "the payment is of another order");
        return captured(at, *payment, std::move(charge), inquiry.may_capture);
    }

    // The order is found again by its key, and takes one payment only: so nothing is charged twice.
    [[nodiscard]] Result<payment::Charge> charge_saved(const Situation& at,
                                                       const payment::SavedCharge& saved_charge) const override {
        if (!is_razorpay_id(saved_charge.method.customer, "cust_") ||
            !is_razorpay_id(saved_charge.method.method, "token_"))
            return refused("no customer's or no card's id");
        SVC_ASSIGN_OR_RETURN(const auto id, order_id(at, saved_charge.amount, saved_charge.key,
                                                     razorpay::saved_order_body(saved_charge)));
        const auto payments = ask(at, "GET", "/v1/orders/" + id + "/payments");
        auto payment = payments ? razorpay::decisive(*payments) : payments;
        if (payment && payment->is_null()) {
            const auto paid =
                ask(at, "POST", "/v1/payments/create/recurring", razorpay::recurring_body(saved_charge, id));
            if (!paid)
                return paid.error();
            const std::string name = text_of(*paid, "razorpay_payment_id");
            if (!is_razorpay_id(name, "pay_"))
                return garbled("the answer names no payment");
            payment = ask(at, "GET", "/v1/payments/" + name);
        }
        if (!payment)
            return payment.error();
        SVC_ASSIGN_OR_RETURN(auto charge, razorpay::charge_of(*payment));
        if (charge.intent_id != id)
            return garbled("the payment is of another order");
        return captured(at, *payment, std::move(charge), true);
    }

    [[nodiscard]] Result<void> forget_saved(const Situation& at, const payment::SavedMethod& method) const override {
        if (!is_razorpay_id(method.customer, "cust_") || !is_razorpay_id(method.method, "token_"))
            return refused("no customer's or no card's id");
        const auto removed = ask(at, "DELETE", "/v1/customers/" + method.customer + "/tokens/" + method.method);
        return removed ? Result<void>{} : removed.error();
    }

    [[nodiscard]] Result<std::vector<payment::Event>> webhook(const Situation& at,
                                                              const payment::WebhookCall& call) const override {
        if (auto proven =
                check_plain_signature(header_of(call, "X-Razorpay-Signature"), call.body, webhook_secrets(at.config));
            !proven)
            return proven.error();
        SVC_ASSIGN_OR_RETURN(const auto event, event_object(call.body));
        // Their event's id is in an unsigned header: the body itself identifies the event, so that a copy with another
        // id is still the same.
        SVC_ASSIGN_OR_RETURN(auto read, razorpay::event_of(crypto::sha256_hex(call.body), event));
        return std::vector<payment::Event>{std::move(read)};
    }

    [[nodiscard]] Result<payment::Refund> refund(const Situation& at,
                                                 const payment::RefundRequest& request) const override {
        if (!is_razorpay_id(request.transaction_id, "pay_"))
            return refused("no payment's id");
        const auto refund =
            ask(at, "POST", "/v1/payments/" + request.transaction_id + "/refund", razorpay::refund_body(request),
                {{"X-Refund-Idempotency", razorpay::receipt_of(request.key)}});
        return refund ? razorpay::refund_of(*refund) : Result<payment::Refund>(refund.error());
    }

    [[nodiscard]] Result<std::string> probe(const Situation& at) const override {
        SVC_RETURN_IF_ERROR(ask(at, "GET", "/v1/orders?count=1"));
        return "Razorpay accepted the key " + keys_of(at.config, at.sandbox).id + ".";
    }

  private:
    [[nodiscard]] Result<std::string> customer_of(const Situation& at, const payment::IntentRequest& request) const {
        if (is_razorpay_id(request.gateway_customer, "cust_"))
            return request.gateway_customer;
        SVC_ASSIGN_OR_RETURN(const auto customer, ask(at, "POST", "/v1/customers", razorpay::customer_body(request)));
        const std::string id = text_of(customer, "id");
        return is_razorpay_id(id, "cust_") ? Result<std::string>(id) : garbled("the answer is no customer");
    }

    // Of the order for that key: the one that was made before, or a new one.
    [[nodiscard]] Result<std::string> order_id(const Situation& at, const Money& amount, const std::string& key,
                                               const Value& body) const {
        auto order = order_made(at, amount, key);
        if (order && order->is_null())
            order = ask(at, "POST", "/v1/orders", body);
        if (!order)
            return order.error();
        const std::string id = text_of(*order, "id");
        if (!is_razorpay_id(id, "order_") || whole(*order, "amount") != amount.minor() ||
            text_of(*order, "currency") != amount.currency().code())
            return garbled("the order is not what was asked for");
        return id;
    }

    [[nodiscard]] Result<payment::Charge> captured(const Situation& at, const Value& payment, payment::Charge charge,
                                                   bool may_capture) const {
        if (text_of(payment, "status") != "authorized" || !may_capture)
            return charge;
        const auto taken = capture(at, charge.transaction_id, payment);
        auto settled = taken ? razorpay::charge_of(*taken) : seen_again(at, charge.transaction_id, taken.error());
        if (settled && settled->progress == payment::Progress::paid)
            settled->saved = charge.saved;  // a capture's response has no card
        return settled;
    }

    // Null when there is none for this key yet.
    [[nodiscard]] Result<Value> order_made(const Situation& at, const Money& amount, const std::string& key) const {
        SVC_ASSIGN_OR_RETURN(const auto orders, ask(at, "GET", "/v1/orders?receipt=" + razorpay::receipt_of(key)));
        if (!orders["items"].is_array())
            return garbled("the answer is no list of orders");
        for (const Value& order : orders["items"].items())
            if (whole(order, "amount") == amount.minor() && text_of(order, "currency") == amount.currency().code())
                return order;
        return Value();
    }

    // The page's payment, once its signature is valid; else the order's decisive one, or null.
    [[nodiscard]] Result<Value> payment_of(const Situation& at, const payment::Inquiry& inquiry) const {
        if (inquiry.transaction_id.empty() || inquiry.transaction_id == inquiry.intent_id) {
            const auto payments = ask(at, "GET", "/v1/orders/" + inquiry.intent_id + "/payments" + with_card);
            return payments ? razorpay::decisive(*payments) : payments;
        }
        if (!is_razorpay_id(inquiry.transaction_id, "pay_"))
            return mistaken("transaction_id", "no payment's id");
        const std::string signature = text_of(inquiry.proof, "razorpay_signature");
        if (!signature.empty() && !razorpay::proves(inquiry.intent_id, inquiry.transaction_id, signature,
                                                    keys_of(at.config, at.sandbox).secret))
            return mistaken("gateway_data.razorpay_signature", "the page's signature is wrong");
        auto payment = ask(at, "GET", "/v1/payments/" + inquiry.transaction_id + with_card);
        if (!payment && payment.error().code().name == errc::payment_error.name)  // it knows no such payment
            return mistaken("transaction_id", payment.error().cause());
        return payment;
    }

    // A rejected capture may have been made by another process a moment before: the current state counts.
    [[nodiscard]] Result<payment::Charge> seen_again(const Situation& at, const std::string& id,
                                                     const Error& refusal) const {
        const auto payment = ask(at, "GET", "/v1/payments/" + id);
        if (!payment)
            return payment.error();
        auto charge = razorpay::charge_of(*payment);
        if (charge && charge->progress == payment::Progress::processing)
            return garbled("the capture was refused: " + refusal.cause());
        return charge;
    }

    [[nodiscard]] Result<Value> capture(const Situation& at, const std::string& id, const Value& payment) const {
        return ask(at, "POST", "/v1/payments/" + id + "/capture",
                   Value::object({{"amount", payment["amount"]}, {"currency", payment["currency"]}}));
    }

    [[nodiscard]] Result<Value> ask(const Situation& at, const char* method, const std::string& path,
                                    const Value& body = {}, Headers headers = {}) const {
        const Keys keys = keys_of(at.config, at.sandbox);
        if (!keys.complete())
            return refused(at.sandbox ? "no key for tests" : "no key");
        plugin::FetchRequest request{.method = method,
                                     .url = (at.api_base.empty() ? "https://api.razorpay.com" : at.api_base) + path,
                                     .headers = std::move(headers)};
        request.headers.emplace_back("Authorization", "Basic " + crypto::base64(keys.id + ":" + keys.secret));
        if (!body.is_null()) {
            request.headers.emplace_back("Content-Type", "application/json");
            request.body = body.dump();
        }
        SVC_ASSIGN_OR_RETURN(auto reply, call(send_, std::move(request)));
        if (!reply.ok())
            return razorpay::error_of(reply.status, reply.body);
        return std::move(reply.body);
    }

    const Send send_;
    const plugin::GatewayInfo info_ = razorpay_info();
};

}  // namespace

pages::Origins razorpay_origins() {
    return {.script = {"https://checkout.razorpay.com"},
            .frame = {"https://api.razorpay.com", "https://checkout.razorpay.com"},
            .connect = {"https://api.razorpay.com", "https://lumberjack.razorpay.com"}};
}

std::unique_ptr<plugin::Gateway> razorpay_gateway(Send send) { return std::make_unique<Razorpay>(std::move(send)); }

}  // namespace svc::pro::gateways
