// Calls to PayPal.
#include "base/sales/payment/gateways/paypal.hpp"

#include <map>
#include <mutex>

#include "base/platform/crypto/crypto.hpp"
#include "base/sales/payment/gateways/paypal_signature.hpp"
#include "base/sales/payment/gateways/paypal_wire.hpp"

namespace svc::payment {
namespace {

using json::Value;
using paypal::at;
using paypal::text_at;

constexpr std::chrono::milliseconds call_time{8000};
constexpr std::chrono::hours longest_retry{96};  // they send an event again for three days

struct PaypalReply {
    int status = 0;
    Value body;
};

Error unreachable(const std::string& why) { return Error(errc::gateway_unavailable).because("PayPal: " + why); }

// PayPal's rejection; errors that may be PayPal's own leave the outcome open.
Error refused(const PaypalReply& reply) {
    if (reply.status >= 500 || reply.status == 429 || reply.status == 401 || reply.status == 403)
        return unreachable("HTTP " + std::to_string(reply.status) + " " + paypal::issue_of(reply.body));
    const std::string sentence = paypal::sentence_of(reply.body);
    return sentence.empty() ? Error(errc::payment_error) : Error(errc::payment_error, Sentence::verbatim(sentence));
}

class PayPal final : public Gateway {
  public:
    PayPal(Fetch fetch, std::string roots) : fetch_(fetch), certificates_(std::move(fetch), std::move(roots)) {}

    [[nodiscard]] const GatewayInfo& info() const override { return info_; }

    [[nodiscard]] bool available(const Value& config, const Money& amount) const override {
        return paypal::takes(amount) && !config.text_or("client_id").empty() &&
               !config.text_or("client_secret").empty();
    }

    [[nodiscard]] std::vector<Sentence> instructions(const Value&, const Value&) const override { return {}; }

    [[nodiscard]] Result<Intent> intent(const Situation& now, const IntentRequest& request) const override {
        SVC_ASSIGN_OR_RETURN(const auto reply,
                             call(now, "POST", "/v2/checkout/orders",
                                  paypal::order_json(request, {.brand = now.config.text_or("brand_name"),
                                                               .payee = now.config.text_or("email")})
                                      .dump(),
                                  request.key));
        if (reply.status != 200 && reply.status != 201)
            return refused(reply);
        Intent intent{.id = text_at(reply.body, "id"), .payment_url = paypal::approval_url(reply.body)};
        if (intent.id.empty() || intent.payment_url.empty())
            return unreachable("an order without id or link");
        intent.client.set("order_id", intent.id);
        if (now.config.text_or("mode") == "advanced")
            intent.client.set("client_id", now.config.text_or("client_id"));
        return intent;
    }

    [[nodiscard]] Result<Charge> confirm(const Situation& now, const Inquiry& inquiry) const override {
        auto order = order_of(now, inquiry);
        // The page may name the order or its capture.
        const std::string& named = inquiry.transaction_id;
        if (order && !named.empty() && named != inquiry.intent_id && named != order->transaction_id)
            return invalid("transaction_id", "This payment does not belong to the booking."_sentence)
                .because("another order's capture");
        if (!order || order->progress != Progress::waiting || !inquiry.may_capture || order->reason != approved)
            return order;
        SVC_ASSIGN_OR_RETURN(const auto reply,
                             call(now, "POST", "/v2/checkout/orders/" + path_part(inquiry.intent_id) + "/capture", "{}",
                                  inquiry.key + "-capture"));
        if (reply.status == 200 || reply.status == 201)
            return paypal::charge_from(reply.body, inquiry.booking_id);
        const std::string issue = paypal::issue_of(reply.body);
        if (issue == "ORDER_ALREADY_CAPTURED")
            return order_of(now, inquiry);
        if (issue == "ORDER_NOT_APPROVED")
            return Charge{.intent_id = inquiry.intent_id};
        if (issue == "INSTRUMENT_DECLINED" || issue == "TRANSACTION_REFUSED" || issue == "PAYER_CANNOT_PAY")
            return Charge{
                .progress = Progress::failed, .intent_id = inquiry.intent_id, .reason = "PayPal declined the payment."};
        return refused(reply);
    }

    // Without a request, except for an unknown certificate.
    [[nodiscard]] Result<std::vector<Event>> webhook(const Situation& now, const WebhookCall& call) const override {
        const auto rejected = [](const char* why) { return Error(errc::webhook_rejected).because(why); };
        const std::string webhook_id = now.config.text_or("webhook_id");
        if (webhook_id.find_first_not_of(' ') == std::string::npos)
            return rejected("no webhook id is configured");
        SVC_ASSIGN_OR_RETURN(const auto sent, paypal::transmission_of(now, call));
        auto proof = certificates_.check(now, sent, webhook_id, call.body);
        if (!proof)
            return proof.error();
        const auto parsed = json::parse(call.body);
        if (!parsed || !parsed->is_object())
            return rejected("the body is no JSON object");
        Event event = paypal::event_from(*parsed);
        if (event.id.empty() || event.id.size() > 191 || event.type.empty() || event.type.size() > 191)
            return rejected("the event has no id or type");
        if (*proof == Proof::needed && now.limit_inquiries) {
            proof = now.limit_inquiries(event, now.now.minus(longest_retry) < sent.sent_at);
            if (!proof)
                return proof.error();
        }
        if (*proof == Proof::needed) {
            SVC_RETURN_IF_ERROR(certificates_.fetch(now, sent));
            proof = certificates_.check(now, sent, webhook_id, call.body);
            if (!proof)
                return proof.error();
        }
        if (*proof != Proof::given)
            return rejected("its certificate has expired");
        return std::vector<Event>{std::move(event)};
    }

    [[nodiscard]] Result<Refund> refund(const Situation& now, const RefundRequest& request) const override {
        Value body = Value::object({{"amount", paypal::amount_json(request.amount)}});
        if (!request.reason.empty() && request.reason.size() <= 255)
            body.set("note_to_payer", request.reason);
        SVC_ASSIGN_OR_RETURN(const auto reply,
                             call(now, "POST", "/v2/payments/captures/" + path_part(request.transaction_id) + "/refund",
                                  body.dump(), request.key));
        if (reply.status != 200 && reply.status != 201)
            return refused(reply);
        return paypal::refund_from(reply.body);
    }

    [[nodiscard]] Result<std::string> probe(const Situation& now) const override {
        SVC_RETURN_IF_ERROR(token_of(now, true));
        return std::string(now.sandbox ? "PayPal's sandbox accepted the credentials."
                                       : "PayPal accepted the credentials.");
    }

  private:
    static constexpr std::string_view approved = "approved";

    static std::string path_part(const std::string& id) {
        const bool plain = !id.empty() && id.find_first_not_of(
                                              "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
                                              "0123456789-_") == std::string::npos;
        return plain ? id : "-";
    }

    static std::string base_of(const Situation& now) {
        if (!now.api_base.empty())
            return now.api_base;
        return now.sandbox ? "https://api-m.sandbox.paypal.com" : "https://api-m.paypal.com";
    }

    // The status of the order; `reason` is "approved" while it waits for our capture.
    Result<Charge> order_of(const Situation& now, const Inquiry& inquiry) const {
        SVC_ASSIGN_OR_RETURN(const auto reply,
                             call(now, "GET", "/v2/checkout/orders/" + path_part(inquiry.intent_id), "", ""));
        if (reply.status == 404)
            return Charge{.progress = Progress::cancelled,
                          .intent_id = inquiry.intent_id,
                          .reason = "This PayPal order has expired. Start the payment again."};
        if (reply.status != 200)
            return refused(reply);
        Charge charge = paypal::charge_from(reply.body, inquiry.booking_id);
        if (charge.progress == Progress::waiting && text_at(reply.body, "status") == "APPROVED")
            charge.reason = approved;
        return charge;
    }

    Result<PaypalReply> call(const Situation& now, const char* method, const std::string& path, const std::string& body,
                             const std::string& key) const {
        for (const bool again : {false, true}) {
            SVC_ASSIGN_OR_RETURN(const auto token, token_of(now, again));
            outbound::FetchRequest request{.url = base_of(now) + path,
                                           .method = method,
                                           .headers = {{"Authorization", "Bearer " + token},
                                                       {"Content-Type", "application/json"},
                                                       {"Prefer", "return=representation"}},
                                           .body = body,
                                           .timeout = call_time};
            if (!key.empty())
                request.headers.emplace_back("PayPal-Request-Id", key);
            const auto answer = fetch_(request);
            if (!answer)
                return unreachable(answer.error().cause());
            if (answer->status == 401 && !again)
                continue;  // the token was taken back before its time
            auto parsed = answer->body.empty() ? Result<Value>(Value::object()) : json::parse(answer->body);
            if (!parsed || !parsed->is_object())
                return unreachable("an answer that is no JSON object");
            return PaypalReply{.status = answer->status, .body = std::move(*parsed)};
        }
        return unreachable("its own token is not taken");
    }

    Result<std::string> token_of(const Situation& now, bool fresh) const {
        const std::string id = now.config.text_or("client_id");
        const std::string secret = now.config.text_or("client_secret");
        const std::string place = crypto::sha256(base_of(now) + "\n" + id + "\n" + secret);
        if (!fresh) {
            const std::lock_guard lock(mutex_);
            if (const auto known = tokens_.find(place); known != tokens_.end() && now.now < known->second.until)
                return known->second.text;
        }
        const auto answer = fetch_({.url = base_of(now) + "/v1/oauth2/token",
                                    .method = "POST",
                                    .headers = {{"Authorization", "Basic " + crypto::base64(id + ":" + secret)},
                                                {"Content-Type", "application/x-www-form-urlencoded"}},
                                    .body = "grant_type=client_credentials",
                                    .timeout = call_time});
        if (!answer)
            return unreachable(answer.error().cause());
        if (answer->status == 401)
            return unreachable("the credentials are not taken");
        const auto parsed = json::parse(answer->body);
        const std::string text = parsed ? text_at(*parsed, "access_token") : std::string();
        if (answer->status != 200 || text.empty())
            return unreachable("no token, HTTP " + std::to_string(answer->status));
        const Value& lifetime = at(*parsed, "expires_in");
        const std::int64_t seconds = lifetime.is_number() && lifetime.number_text().size() < 9 ? lifetime.integer() : 0;
        const std::lock_guard lock(mutex_);
        if (tokens_.size() > 16)
            tokens_.clear();  // the operator changed the credentials again and again
        tokens_[place] = {.text = text, .until = now.now.plus(std::chrono::seconds(seconds - 60))};
        return text;
    }

    static GatewayField field(const char* id, const char* type, const char* label, const char* help) {
        return {.id = id, .type = type, .label = label, .description = help, .secret = type == std::string("password")};
    }
    static GatewayField public_field(GatewayField field) {
        field.is_public = true;
        return field;
    }
    static GatewayField required_field(GatewayField field) {
        field.required = true;
        return field;
    }
    static GatewayField mode_field() {
        return {.id = "mode",
                .type = "select",
                .label = "Mode",
                .description =
                    "simple: redirects to PayPal; advanced: the page can show PayPal's"
                    " buttons and receives the client ID.",
                .fallback = "simple",
                .options = {"simple", "advanced"},
                .is_public = true};
    }

    struct Token {
        std::string text;
        Instant until;
    };
    const Fetch fetch_;
    mutable paypal::Certificates certificates_;
    mutable std::mutex mutex_;
    mutable std::map<std::string, Token> tokens_;  // by where and whose
    const GatewayInfo info_{
        .id = "paypal",
        .title = "PayPal",
        .description = default_text("Pay with a PayPal account or a card, on PayPal's pages."),
        .icon = "paypal",
        .supports = {"payments", "webhooks", "refunds", "connection", "holds"},
        .fields = {mode_field(),
                   field("email", "email", "Account",
                         "E-mail address of the PayPal account to pay; empty for the account of the app below."),
                   required_field(public_field(field("client_id", "text", "Client ID",
                                                     "Client ID of the app in PayPal's developer dashboard."))),
                   required_field(field("client_secret", "password", "Client secret", "Secret of the same app.")),
                   field("webhook_id", "text", "Webhook ID",
                         "Id of the app's webhook for this site; without it all events are rejected."),
                   field("brand_name", "text", "Name on PayPal's pages",
                         "Brand name on PayPal's pages; empty for the account's name.")},
        .webhook_headers = {std::begin(paypal::signing_headers), std::end(paypal::signing_headers)},
        .sandbox_url = "https://developer.paypal.com/dashboard",
        .origins = {.form = {"https://www.paypal.com", "https://www.sandbox.paypal.com"}}};
};

}  // namespace

std::shared_ptr<Gateway> make_paypal(Fetch fetch, std::string roots) {
    return std::make_shared<PayPal>(std::move(fetch), std::move(roots));
}

}  // namespace svc::payment
