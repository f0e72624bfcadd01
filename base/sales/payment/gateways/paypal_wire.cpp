// PayPal's JSON.
#include "base/sales/payment/gateways/paypal_wire.hpp"

#include <algorithm>
#include <array>

namespace svc::payment::paypal {
namespace {

using json::Value;

// https://developer.paypal.com/reference/currency-codes; those where in_whole takes no decimals.
struct Taken {
    std::string_view code;
    bool in_whole = false;
};
constexpr std::array currencies{Taken{"AUD"}, Taken{"BRL"},       Taken{"CAD"},       Taken{"CHF"},      Taken{"CZK"},
                                Taken{"DKK"}, Taken{"EUR"},       Taken{"GBP"},       Taken{"HKD"},      Taken{"ILS"},
                                Taken{"MXN"}, Taken{"MYR"},       Taken{"NOK"},       Taken{"NZD"},      Taken{"PHP"},
                                Taken{"PLN"}, Taken{"SEK"},       Taken{"SGD"},       Taken{"THB"},      Taken{"USD"},
                                Taken{"CNY"}, Taken{"HUF", true}, Taken{"JPY", true}, Taken{"TWD", true}};

const Taken* row_of(std::string_view code) {
    const auto* const found =
        std::find_if(currencies.begin(), currencies.end(), [&](const Taken& row) { return row.code == code; });
    return found == currencies.end() ? nullptr : found;
}

std::string cut(std::string_view text, std::size_t most) {
    if (text.size() <= most)
        return std::string(text);
    while (most > 0 && (static_cast<unsigned char>(text[most]) & 0xc0) == 0x80)
        --most;  // not inside a character
    return std::string(text.substr(0, most));
}

const Value& first_of(const Value& list) {
    static const Value nothing;
    return list.is_array() && list.size() > 0 ? list[std::size_t{0}] : nothing;
}

// The last part of the link of that name, when it leads to a thing of that kind.
std::string id_in_links(const Value& object, std::string_view kind) {
    const Value& links = at(object, "links");
    if (!links.is_array())
        return {};
    for (const Value& link : links.items()) {
        const std::string href = text_at(link, "href");
        const std::string mark = "/" + std::string(kind) + "/";
        const auto found = href.find(mark);
        if (text_at(link, "rel") == "up" && found != std::string::npos) {
            const auto from = found + mark.size();
            return href.substr(from, std::min(href.find_first_of("/?#", from), href.size()) - from);
        }
    }
    return {};
}

std::optional<std::int64_t> booking_in(const Value& object) {
    const std::string id = text_at(object, "custom_id");
    if (id.empty() || id.size() > 18 || id.find_first_not_of("0123456789") != std::string::npos)
        return std::nullopt;
    return std::stoll(id);
}

Progress progress_of_capture(const std::string& status) {
    if (status == "COMPLETED" || status == "PARTIALLY_REFUNDED" || status == "REFUNDED")
        return Progress::paid;
    if (status == "PENDING")
        return Progress::processing;
    return Progress::failed;  // DECLINED, FAILED
}

// The parts of PayPal's object to store: no name or address of the payer.
Value record_of(const Value& resource) {
    Value out = Value::object();
    for (const char* name : {"id", "status", "create_time", "update_time", "custom_id", "invoice_id"})
        if (const std::string text = text_at(resource, name); !text.empty())
            out.set(name, cut(text, 255));
    if (at(resource, "amount").is_object())
        out.set("amount", Value::object({{"value", text_at(at(resource, "amount"), "value")},
                                         {"currency_code", text_at(at(resource, "amount"), "currency_code")}}));
    return out;
}

}  // namespace

const Value& at(const Value& value, std::string_view name) {
    static const Value nothing;
    const Value* found = value.find(name);
    return found ? *found : nothing;
}

std::string text_at(const Value& value, std::string_view name) {
    const Value& found = at(value, name);
    return found.is_string() ? found.text() : std::string();
}

bool takes(const Money& amount) {
    const Taken* row = row_of(amount.currency().code());
    if (!row || amount.is_negative())
        return false;
    std::int64_t unit = 1;
    for (int i = 0; i < amount.currency().exponent(); ++i)
        unit *= 10;
    return !row->in_whole || amount.minor() % unit == 0;
}

Value amount_json(const Money& amount) {
    std::string value = amount.decimal();
    if (const Taken* row = row_of(amount.currency().code()); row && row->in_whole)
        value = value.substr(0, value.find('.'));
    return Value::object({{"currency_code", amount.currency().code()}, {"value", value}});
}

std::optional<Money> amount_from(const Value& value) {
    const auto currency = Currency::parse(text_at(value, "currency_code"));
    if (!currency)
        return std::nullopt;
    const auto amount = Money::parse(text_at(value, "value"), *currency);
    return amount ? std::optional(*amount) : std::nullopt;
}

Value order_json(const IntentRequest& request, const Seller& seller) {
    Value context = Value::object({{"return_url", request.return_url},
                                   {"cancel_url", request.cancel_url},
                                   {"user_action", "PAY_NOW"},
                                   {"shipping_preference", "NO_SHIPPING"}});
    if (!seller.brand.empty())
        context.set("brand_name", cut(seller.brand, 127));
    Value unit =
        Value::object({// One charge of a booking, so that PayPal refuses a second for the same.
                       {"invoice_id", (request.booking_reference.empty() ? "BOOKING" : request.booking_reference) +
                                          "-" + request.key.substr(0, 8)},
                       {"amount", amount_json(request.amount)}});
    if (request.booking_id != 0)  // an order for a session has none yet
        unit.set("custom_id", std::to_string(request.booking_id));
    if (!seller.payee.empty())
        unit.set("payee", Value::object({{"email_address", seller.payee}}));
    if (!request.description.empty())
        unit.set("description", cut(request.description, 127));
    return Value::object(
        {{"intent", "CAPTURE"},
         {"purchase_units", Value::array({unit})},
         {"payment_source", Value::object({{"paypal", Value::object({{"experience_context", context}})}})}});
}

std::string approval_url(const Value& order) {
    const Value& links = at(order, "links");
    if (links.is_array())
        for (const Value& link : links.items())
            if (const std::string rel = text_at(link, "rel"); rel == "payer-action" || rel == "approve")
                return text_at(link, "href");
    return {};
}

Charge charge_from(const Value& order, std::int64_t booking_id) {
    Charge charge{.intent_id = text_at(order, "id"), .details = record_of(order)};
    const std::string status = text_at(order, "status");
    const Value& unit = first_of(at(order, "purchase_units"));
    if (const auto named = booking_in(unit); named && *named != booking_id)
        charge.intent_id += " of another booking";
    if (status == "VOIDED") {
        charge.progress = Progress::cancelled;
        charge.reason = "The order was cancelled at PayPal.";
        return charge;
    }
    const Value& capture = first_of(at(at(unit, "payments"), "captures"));
    if (!capture.is_object())
        return charge;  // nothing was captured yet, whatever the order's status
    charge.progress = progress_of_capture(text_at(capture, "status"));
    charge.transaction_id = text_at(capture, "id");
    charge.amount = amount_from(at(capture, "amount"));
    charge.fee = amount_from(at(at(capture, "seller_receivable_breakdown"), "paypal_fee"));
    if (charge.progress == Progress::failed)
        charge.reason = "PayPal declined the payment.";
    charge.details = record_of(capture);
    return charge;
}

Refund refund_from(const Value& refund) {
    const std::string status = text_at(refund, "status");
    return {.progress = status == "COMPLETED"                         ? Progress::paid
                        : status == "FAILED" || status == "CANCELLED" ? Progress::failed
                                                                      : Progress::processing,
            .id = text_at(refund, "id"),
            .amount = amount_from(at(refund, "amount")),
            .reason = text_at(at(refund, "status_details"), "reason"),
            .details = record_of(refund)};
}

Event event_from(const Value& sent) {
    const Value& resource = at(sent, "resource");
    Event event{.id = text_at(sent, "id"), .type = text_at(sent, "event_type"), .object = record_of(resource)};
    event.booking_id = booking_in(resource);
    event.intent_id = text_at(at(at(resource, "supplementary_data"), "related_ids"), "order_id");
    if (event.intent_id.empty())
        event.intent_id = id_in_links(resource, "orders");
    if (event.type == "CHECKOUT.ORDER.APPROVED") {
        // It waits for our capture; the order is read before anything is done.
        event.kind = Event::Kind::processing;
        event.intent_id = text_at(resource, "id");
        event.booking_id = booking_in(first_of(at(resource, "purchase_units")));
    } else if (event.type == "PAYMENT.CAPTURE.COMPLETED" || event.type == "PAYMENT.CAPTURE.PENDING") {
        event.kind = event.type.ends_with("COMPLETED") ? Event::Kind::paid : Event::Kind::processing;
        event.transaction_id = text_at(resource, "id");
        event.amount = amount_from(at(resource, "amount"));
    } else if (event.type == "PAYMENT.CAPTURE.DENIED" || event.type == "PAYMENT.CAPTURE.DECLINED") {
        event.kind = Event::Kind::failed;
        event.transaction_id = text_at(resource, "id");
        event.reason = "PayPal declined the payment.";
    } else if (event.type == "PAYMENT.CAPTURE.REFUNDED" || event.type == "PAYMENT.CAPTURE.REVERSED") {
        event.kind = Event::Kind::refunded;
        event.refund_id = text_at(resource, "id");
        event.transaction_id = id_in_links(resource, "captures");
        event.amount = amount_from(at(resource, "amount"));
        event.refunded_total = amount_from(at(at(resource, "seller_payable_breakdown"), "total_refunded_amount"));
        event.reason = text_at(resource, "note_to_payer");
    }
    return event;
}

std::string issue_of(const Value& error) {
    const std::string issue = text_at(first_of(at(error, "details")), "issue");
    return issue.empty() ? text_at(error, "name") : issue;
}

std::string sentence_of(const Value& error) {
    const std::string sentence = text_at(first_of(at(error, "details")), "description");
    return cut(sentence.empty() ? text_at(error, "message") : sentence, 500);
}

}  // namespace svc::payment::paypal
