// The gateway razorpay: which call answers which question.
#include "pro/gateways/razorpay.hpp"

#include "pro/crypto/hmac.hpp"
#include "pro/gateways/razorpay_wire.hpp"
#include "pro/gateways/signature.hpp"

namespace svc::pro::gateways {
namespace {

using json::Value;
using payment::Situation;

plugin::GatewayInfo make_info() {
    // No saved methods: theirs are mandates that the customer agrees to one by one, which is another flow than ours.
    plugin::GatewayInfo info{
        .id = "razorpay",
        .title = "Razorpay",
        .description = "Pay by card, UPI, wallet or bank.",
        .icon = "",
        .supports = {std::string(payment::ability::payments), std::string(payment::ability::webhooks),
                     std::string(payment::ability::refunds), std::string(payment::ability::connection)},
        .fields = {text_field("live_key_id", "Key id", "Begins with rzp_live_."),
                   secret_field("live_key_secret", "Key secret", "Of the key above."),
                   text_field("test_key_id", "Key id for tests", "Begins with rzp_test_."),
                   secret_field("test_key_secret", "Key secret for tests", "Of the key above.")},
        .requires_pro = true,
        .webhook_headers = {"X-Razorpay-Signature"}};
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

bool is_id(std::string_view id, std::string_view prefix) { return is_plain_id(id, prefix, 64); }

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
        const auto test_mode = config.maybe_boolean("test_mode");  // a base that does not say: either world
        return !amount.is_negative() && (keys_of(config, test_mode.value_or(false)).complete() ||
                                         keys_of(config, test_mode.value_or(true)).complete());
    }

    [[nodiscard]] std::string instructions(const Value&, const Value&) const override { return {}; }

    // Orders know no idempotency key: one made for the same key before is found by its receipt.
    [[nodiscard]] Result<payment::Intent> intent(const Situation& at,
                                                 const payment::IntentRequest& wanted) const override {
        auto order = order_made(at, wanted);
        if (order && order->is_null())
            order = ask(at, "POST", "/v1/orders", razorpay::order_body(wanted));
        if (!order)
            return order.error();
        const std::string id = text_of(*order, "id");
        if (!is_id(id, "order_") || whole(*order, "amount") != wanted.amount.minor() ||
            text_of(*order, "currency") != wanted.amount.currency().code())
            return garbled("the order is not what was asked for");
        return payment::Intent{.id = id,
                               .client = Value::object({{"key_id", keys_of(at.config, at.sandbox).id},
                                                        {"order_id", id},
                                                        {"amount", wanted.amount.minor()},
                                                        {"currency", wanted.amount.currency().code()},
                                                        {"name", wanted.customer_name},
                                                        {"email", wanted.customer_email}})};
    }

    [[nodiscard]] Result<payment::Charge> confirm(const Situation& at, const payment::Inquiry& inquiry) const override {
        if (!is_id(inquiry.intent_id, "order_"))
            return refused("no order's id");
        auto payment = payment_of(at, inquiry);
        if (!payment)
            return payment.error();
        if (payment->is_null())
            return payment::Charge{.intent_id = inquiry.intent_id};
        auto charge = razorpay::charge_of(*payment);
        if (!charge)
            return charge.error();
        if (charge->intent_id != inquiry.intent_id)
            return mistaken("transaction_id", "the payment is of another order");
        if (text_of(*payment, "status") != "authorized" || !inquiry.may_capture)
            return charge;
        const auto captured = capture(at, charge->transaction_id, *payment);
        return captured ? razorpay::charge_of(*captured) : seen_again(at, charge->transaction_id, captured.error());
    }

    [[nodiscard]] Result<std::vector<payment::Event>> webhook(const Situation& at,
                                                              const payment::WebhookCall& call) const override {
        if (auto proven =
                check_plain_signature(header_of(call, "X-Razorpay-Signature"), call.body, webhook_secrets(at.config));
            !proven)
            return proven.error();
        const auto event = event_object(call.body);
        if (!event)
            return event.error();
        // Their event's id comes in a header that is not signed: the body itself says which event this is, so that a
        // copy of it under another id is still the same.
        auto read = razorpay::event_of(crypto::sha256_hex(call.body), *event);
        if (!read)
            return read.error();
        return std::vector<payment::Event>{std::move(*read)};
    }

    [[nodiscard]] Result<payment::Refund> refund(const Situation& at,
                                                 const payment::RefundRequest& wanted) const override {
        if (!is_id(wanted.transaction_id, "pay_"))
            return refused("no payment's id");
        const auto refund =
            ask(at, "POST", "/v1/payments/" + wanted.transaction_id + "/refund", razorpay::refund_body(wanted),
                {{"X-Refund-Idempotency", razorpay::receipt_of(wanted.key)}});
        return refund ? razorpay::refund_of(*refund) : Result<payment::Refund>(refund.error());
    }

    [[nodiscard]] Result<std::string> probe(const Situation& at) const override {
        const auto orders = ask(at, "GET", "/v1/orders?count=1");
        if (!orders)
            return orders.error();
        return "Razorpay takes the key " + keys_of(at.config, at.sandbox).id + ".";
    }

  private:
    // Null when there is none for this key yet.
    [[nodiscard]] Result<Value> order_made(const Situation& at, const payment::IntentRequest& wanted) const {
        const auto orders = ask(at, "GET", "/v1/orders?receipt=" + razorpay::receipt_of(wanted.key));
        if (!orders)
            return orders.error();
        if (!(*orders)["items"].is_array())
            return garbled("the answer is no list of orders");
        for (const Value& order : (*orders)["items"].items())
            if (whole(order, "amount") == wanted.amount.minor() &&
                text_of(order, "currency") == wanted.amount.currency().code())
                return order;
        return Value();
    }

    // The payment that the page names, once its signature fits; else the order's most telling one, or null.
    [[nodiscard]] Result<Value> payment_of(const Situation& at, const payment::Inquiry& inquiry) const {
        if (inquiry.transaction_id.empty() || inquiry.transaction_id == inquiry.intent_id) {
            const auto payments = ask(at, "GET", "/v1/orders/" + inquiry.intent_id + "/payments");
            return payments ? razorpay::decisive(*payments) : payments;
        }
        if (!is_id(inquiry.transaction_id, "pay_"))
            return mistaken("transaction_id", "no payment's id");
        const std::string signature = text_of(inquiry.proof, "razorpay_signature");
        if (!signature.empty() && !razorpay::proves(inquiry.intent_id, inquiry.transaction_id, signature,
                                                    keys_of(at.config, at.sandbox).secret))
            return mistaken("gateway_data.razorpay_signature", "the page's signature is wrong");
        return ask(at, "GET", "/v1/payments/" + inquiry.transaction_id);
    }

    // A capture that was refused may have been made by somebody else a moment before: what is there now counts.
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
        auto reply = call(send_, std::move(request));
        if (!reply)
            return reply.error();
        if (!reply->ok())
            return razorpay::error_of(reply->status, reply->body);
        return std::move(reply->body);
    }

    const Send send_;
    const plugin::GatewayInfo info_ = make_info();
};

}  // namespace

std::unique_ptr<plugin::Gateway> razorpay_gateway(Send send) { return std::make_unique<Razorpay>(std::move(send)); }

}  // namespace svc::pro::gateways
