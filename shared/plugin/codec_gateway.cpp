// Gateways' questions and answers as JSON texts.
#include "shared/plugin/codec_gateway.hpp"

#include <algorithm>
#include <array>

#include "shared/plugin/codec.hpp"

namespace svc::plugin {
namespace {

using json::Value;

constexpr std::array<std::string_view, 5> stages{"waiting", "processing", "paid", "failed", "cancelled"};
constexpr std::array<std::string_view, 5> event_kinds{"other", "paid", "processing", "failed", "refunded"};

template <class Enum, std::size_t count>
Enum one_of(const std::array<std::string_view, count>& names, const Value& value, std::string_view member) {
    const auto text = text_of(value, member);
    const auto found = std::find(names.begin(), names.end(), text);
    if (found == names.end())
        throw Malformed("\"" + std::string(member) + "\" is unknown: \"" + text + "\".");
    return static_cast<Enum>(found - names.begin());
}

template <class Enum, std::size_t count>
Value name_in(const std::array<std::string_view, count>& names, Enum value) {
    return {names.at(static_cast<std::size_t>(value))};
}

// Minor units with their currency, so that no decimal point is misread on either side.
Value money_json(const Money& money) {
    return Value::object({{"minor", money.minor()}, {"currency", money.currency().code()}});
}
Value money_json(const std::optional<Money>& money) { return money ? money_json(*money) : Value(); }

std::optional<Money> maybe_money(const Value& object, std::string_view member) {
    const Value& value = object[member];
    if (value.is_null())
        return std::nullopt;
    const auto currency = Currency::parse(text_of(value, "currency"));
    const auto minor = value.maybe_integer("minor");
    if (!currency || !minor)
        throw Malformed("\"" + std::string(member) + "\" is no amount of money.");
    return Money{*minor, *currency};
}
Money money_of(const Value& object, std::string_view member) {
    if (auto money = maybe_money(object, member))
        return *money;
    throw Malformed("\"" + std::string(member) + "\" is missing.");
}

Value object_of(const Value& value, std::string_view member) {
    const Value& found = value[member];
    return found.is_object() ? found : Value::object();
}

Value field_json(const payment::GatewayField& field) {
    return Value::object({{"id", field.id},
                          {"type", field.type},
                          {"label", field.label},
                          {"description", field.description},
                          {"fallback", field.fallback},
                          {"options", texts(field.options)},
                          {"secret", field.secret},
                          {"least", field.least},
                          {"most", field.most},
                          {"placeholder", field.placeholder},
                          {"help_url", field.help_url},
                          {"test_mode", field.test_mode},
                          {"readonly", field.readonly},
                          {"begins", texts(field.begins)},
                          {"is_public", field.is_public},
                          {"required", field.required},
                          {"proposed", field.proposed},
                          {"filled", field.filled}});
}

payment::GatewayField gateway_field_from(const Value& value) {
    payment::GatewayField field{.id = text_of(value, "id"),
                                .type = text_of(value, "type"),
                                .label = text_of(value, "label"),
                                .description = value.text_or("description"),
                                .fallback = value["fallback"]};
    field.options = texts_of(value, "options");
    field.secret = value.maybe_boolean("secret").value_or(false);
    field.least = value.maybe_integer("least");
    field.most = value.maybe_integer("most");
    field.placeholder = value.text_or("placeholder");
    field.help_url = value.text_or("help_url");
    field.test_mode = value.maybe_boolean("test_mode");
    field.readonly = value.maybe_boolean("readonly").value_or(false);
    field.begins = texts_of(value, "begins");
    field.is_public = value.maybe_boolean("is_public").value_or(false);
    field.required = value.maybe_boolean("required").value_or(false);
    field.proposed = value.maybe_boolean("proposed").value_or(false);
    field.filled = value.maybe_boolean("filled").value_or(false);
    return field;
}

Value event_json(const payment::Event& event) {
    return Value::object({{"id", event.id},
                          {"type", event.type},
                          {"kind", name_in(event_kinds, event.kind)},
                          {"intent_id", event.intent_id},
                          {"transaction_id", event.transaction_id},
                          {"refund_id", event.refund_id},
                          {"booking_id", event.booking_id},
                          {"amount", money_json(event.amount)},
                          {"refunded_total", money_json(event.refunded_total)},
                          {"reason", event.reason},
                          {"action", event.action},
                          {"object", event.object}});
}

payment::Event event_from(const Value& value) {
    return {.id = text_of(value, "id"),
            .type = text_of(value, "type"),
            .kind = one_of<payment::Event::Kind>(event_kinds, value, "kind"),
            .intent_id = value.text_or("intent_id"),
            .transaction_id = value.text_or("transaction_id"),
            .refund_id = value.text_or("refund_id"),
            .booking_id = value.maybe_integer("booking_id"),
            .amount = maybe_money(value, "amount"),
            .refunded_total = maybe_money(value, "refunded_total"),
            .reason = value.text_or("reason"),
            .action = value.text_or("action"),
            .object = object_of(value, "object")};
}

}  // namespace

std::string_view name_of(payment::Progress progress) { return stages.at(static_cast<std::size_t>(progress)); }
payment::Progress progress_named(const Value& object, std::string_view member) {
    return one_of<payment::Progress>(stages, object, member);
}
Value to_json(const Money& money) { return money_json(money); }
Money money_from(const Value& object, std::string_view member) { return money_of(object, member); }

Value to_json(const payment::GatewayInfo& info) {
    auto fields = Value::array();
    for (const auto& field : info.fields)
        fields.push(field_json(field));
    return Value::object({{"id", info.id},
                          {"title", info.title},
                          {"description", info.description},
                          {"icon", info.icon},
                          {"is_offline", info.is_offline},
                          {"supports", texts(info.supports)},
                          {"fields", std::move(fields)},
                          {"module", info.module},
                          {"requires_pro", true},
                          {"webhook_headers", texts(info.webhook_headers)},
                          {"sandbox_url", info.sandbox_url}});
}

payment::GatewayInfo gateway_info_from(const Value& value) {
    payment::GatewayInfo info{.id = text_of(value, "id"),
                              .title = text_of(value, "title"),
                              .description = value.text_or("description"),
                              .icon = value.text_or("icon")};
    info.is_offline = value.maybe_boolean("is_offline").value_or(false);
    info.supports = texts_of(value, "supports");
    if (value["fields"].is_array())
        for (const auto& field : value["fields"].items())
            info.fields.push_back(gateway_field_from(field));
    info.module = value.text_or("module");
    info.requires_pro = value.maybe_boolean("requires_pro").value_or(true);
    info.webhook_headers = texts_of(value, "webhook_headers");
    info.sandbox_url = value.text_or("sandbox_url");
    return info;
}

Value to_json(const payment::Situation& situation) {
    return Value::object({{"config", situation.config},
                          {"sandbox", situation.sandbox},
                          {"api_base", situation.api_base},
                          {"webhook_url", situation.webhook_url},
                          {"now", situation.now.micros()}});
}

payment::Situation situation_from(const Value& value) {
    return {.config = object_of(value, "config"),
            .sandbox = value.maybe_boolean("sandbox").value_or(true),
            .api_base = value.text_or("api_base"),
            .webhook_url = value.text_or("webhook_url"),
            .now = Instant::from_micros(value.maybe_integer("now").value_or(0))};
}

Value to_json(const payment::IntentRequest& request) {
    return Value::object({{"key", request.key},
                          {"amount", money_json(request.amount)},
                          {"booking_id", request.booking_id},
                          {"booking_reference", request.booking_reference},
                          {"description", request.description},
                          {"customer_name", request.customer_name},
                          {"customer_email", request.customer_email},
                          {"customer_phone", request.customer_phone},
                          {"return_url", request.return_url},
                          {"cancel_url", request.cancel_url},
                          {"save_method", request.save_method},
                          {"gateway_customer", request.gateway_customer},
                          {"hold", request.hold}});
}

payment::IntentRequest intent_request_from(const Value& value) {
    return {.key = text_of(value, "key"),
            .amount = money_of(value, "amount"),
            .booking_id = value.maybe_integer("booking_id").value_or(0),
            .booking_reference = value.text_or("booking_reference"),
            .description = value.text_or("description"),
            .customer_name = value.text_or("customer_name"),
            .customer_email = value.text_or("customer_email"),
            .customer_phone = value.text_or("customer_phone"),
            .return_url = value.text_or("return_url"),
            .cancel_url = value.text_or("cancel_url"),
            .save_method = value.maybe_boolean("save_method").value_or(false),
            .gateway_customer = value.text_or("gateway_customer"),
            .hold = value.maybe_boolean("hold").value_or(false)};
}

Value to_json(const payment::Intent& intent) {
    return Value::object({{"id", intent.id},
                          {"progress", name_in(stages, intent.progress)},
                          {"client_secret", intent.client_secret},
                          {"payment_url", intent.payment_url},
                          {"client", intent.client}});
}

payment::Intent intent_from(const Value& value) {
    return {.id = text_of(value, "id"),
            .progress = one_of<payment::Progress>(stages, value, "progress"),
            .client_secret = value.text_or("client_secret"),
            .payment_url = value.text_or("payment_url"),
            .client = object_of(value, "client")};
}

Value to_json(const payment::Inquiry& inquiry) {
    return Value::object({{"key", inquiry.key},
                          {"intent_id", inquiry.intent_id},
                          {"transaction_id", inquiry.transaction_id},
                          {"amount", money_json(inquiry.amount)},
                          {"booking_id", inquiry.booking_id},
                          {"proof", inquiry.proof},
                          {"may_capture", inquiry.may_capture},
                          {"release", inquiry.release}});
}

payment::Inquiry inquiry_from(const Value& value) {
    return {.key = text_of(value, "key"),
            .intent_id = value.text_or("intent_id"),
            .transaction_id = value.text_or("transaction_id"),
            .amount = money_of(value, "amount"),
            .booking_id = value.maybe_integer("booking_id").value_or(0),
            .proof = object_of(value, "proof"),
            .may_capture = value.maybe_boolean("may_capture").value_or(false),
            .release = value.maybe_boolean("release").value_or(false)};
}

Value to_json(const payment::SavedMethod& method) {
    return Value::object({{"customer", method.customer},
                          {"method", method.method},
                          {"brand", method.brand},
                          {"last4", method.last4},
                          {"exp_month", method.exp_month},
                          {"exp_year", method.exp_year}});
}

payment::SavedMethod saved_method_from(const Value& value) {
    return {.customer = value.text_or("customer"),
            .method = text_of(value, "method"),
            .brand = value.text_or("brand"),
            .last4 = value.text_or("last4"),
            .exp_month = value.maybe_integer("exp_month").value_or(0),
            .exp_year = value.maybe_integer("exp_year").value_or(0)};
}

Value to_json(const payment::Charge& charge) {
    return Value::object({{"progress", name_in(stages, charge.progress)},
                          {"intent_id", charge.intent_id},
                          {"transaction_id", charge.transaction_id},
                          {"amount", money_json(charge.amount)},
                          {"fee", money_json(charge.fee)},
                          {"reason", charge.reason},
                          {"saved", charge.saved ? to_json(*charge.saved) : Value()},
                          {"details", charge.details}});
}

payment::Charge charge_from(const Value& value) {
    payment::Charge charge{.progress = one_of<payment::Progress>(stages, value, "progress"),
                           .intent_id = value.text_or("intent_id"),
                           .transaction_id = value.text_or("transaction_id"),
                           .amount = maybe_money(value, "amount"),
                           .fee = maybe_money(value, "fee"),
                           .reason = value.text_or("reason")};
    if (value["saved"].is_object())
        charge.saved = saved_method_from(value["saved"]);
    charge.details = object_of(value, "details");
    return charge;
}

Value to_json(const payment::SavedCharge& charge) {
    return Value::object({{"key", charge.key},
                          {"method", to_json(charge.method)},
                          {"amount", money_json(charge.amount)},
                          {"booking_id", charge.booking_id},
                          {"booking_reference", charge.booking_reference},
                          {"description", charge.description},
                          {"customer_email", charge.customer_email},
                          {"customer_phone", charge.customer_phone}});
}

payment::SavedCharge saved_charge_from(const Value& value) {
    return {.key = text_of(value, "key"),
            .method = saved_method_from(value["method"]),
            .amount = money_of(value, "amount"),
            .booking_id = value.maybe_integer("booking_id").value_or(0),
            .booking_reference = value.text_or("booking_reference"),
            .description = value.text_or("description"),
            .customer_email = value.text_or("customer_email"),
            .customer_phone = value.text_or("customer_phone")};
}

Value to_json(const payment::RefundRequest& request) {
    return Value::object({{"key", request.key},
                          {"intent_id", request.intent_id},
                          {"transaction_id", request.transaction_id},
                          {"amount", money_json(request.amount)},
                          {"captured", money_json(request.captured)},
                          {"reason", request.reason}});
}

payment::RefundRequest refund_request_from(const Value& value) {
    return {.key = text_of(value, "key"),
            .intent_id = value.text_or("intent_id"),
            .transaction_id = text_of(value, "transaction_id"),
            .amount = money_of(value, "amount"),
            .captured = money_of(value, "captured"),
            .reason = value.text_or("reason")};
}

Value to_json(const payment::Refund& refund) {
    return Value::object({{"progress", name_in(stages, refund.progress)},
                          {"id", refund.id},
                          {"amount", money_json(refund.amount)},
                          {"reason", refund.reason},
                          {"details", refund.details}});
}

payment::Refund refund_from(const Value& value) {
    return {.progress = one_of<payment::Progress>(stages, value, "progress"),
            .id = value.text_or("id"),
            .amount = maybe_money(value, "amount"),
            .reason = value.text_or("reason"),
            .details = object_of(value, "details")};
}

Value headers_json(const payment::WebhookCall& call) {
    auto list = Value::array();
    for (const auto& [name, value] : call.headers)
        list.push(Value::array({name, value}));
    return list;
}

payment::WebhookCall webhook_call_from(const Value& headers, std::string_view body) {
    payment::WebhookCall call{.headers = {}, .body = std::string(body)};
    if (headers.is_array())
        for (const auto& pair : headers.items())
            if (pair.size() == 2 && pair[std::size_t{0}].is_string() && pair[std::size_t{1}].is_string())
                call.headers.emplace_back(pair[std::size_t{0}].text(), pair[std::size_t{1}].text());
    return call;
}

Value to_json(const std::vector<payment::Event>& events) {
    return json::array_of(events, [&](const auto& event) { return event_json(event); });
}

std::vector<payment::Event> events_from(const Value& value) {
    if (!value.is_array())
        throw Malformed("The events are no list.");
    std::vector<payment::Event> events;
    for (const auto& item : value.items())
        events.push_back(event_from(item));
    return events;
}

}  // namespace svc::plugin
