// Razorpay's messages, written and read.
#include "pro/gateways/razorpay_wire.hpp"

#include <algorithm>
#include <charconv>

#include "pro/crypto/hmac.hpp"
#include "pro/gateways/provider.hpp"

namespace svc::pro::gateways::razorpay {
namespace {

using json::Value;
using payment::Progress;

// The currencies they take (https://razorpay.com/docs/payments/international-payments).
constexpr std::string_view currencies_taken =
    "AED ALL AMD ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BRL BSD BTN BWP "
    "BZD CAD CHF CLP CNY COP CRC CUP CVE CZK DJF DKK DOP DZD EGP ETB EUR FJD GBP GHS "
    "GIP GMD GNF GTQ GYD HKD HNL HTG HUF IDR ILS INR IQD ISK JMD JOD JPY KES KGS KHR "
    "KMF KRW KWD KYD KZT LAK LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MUR MVR MWK MXN "
    "MYR MZN NAD NGN NIO NOK NPR NZD OMR PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF "
    "SAR SCR SEK SGD SLL SOS SSP SVC SZL THB TND TRY TTD TWD TZS UAH UGX USD UYU UZS "
    "VND VUV XAF XCD XOF XPF YER ZAR ZMW ";

// Notes are an object of texts, or an empty list without any.
std::optional<std::int64_t> booking_of(const Value& entity) {
    const std::string text = text_of(entity["notes"], "booking_id");
    std::int64_t id = 0;
    const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), id);
    return failed == std::errc{} && end == text.data() + text.size() && id > 0 ? std::optional(id) : std::nullopt;
}

std::optional<Money> amount_of(const Value& entity, const char* name = "amount") {
    const auto units = whole(entity, name);
    return units ? money_of(*units, text_of(entity, "currency")) : std::nullopt;
}

// The mandate for the customer to accept: 15,000 rupees per charge, or the current amount, for ten years.
constexpr std::int64_t most_a_charge = 1'500'000;
constexpr std::chrono::hours card_kept_for{24 * 3650};

Value notes_of(std::int64_t booking_id, const std::string& reference) {
    Value notes = Value::object({{"booking_id", std::to_string(booking_id)}});
    if (!reference.empty())
        notes.set("booking_reference", reference);
    return notes;
}

Value order_of(const Money& amount, const std::string& key, std::int64_t booking_id, const std::string& reference) {
    return Value::object({{"amount", amount.minor()},
                          {"currency", amount.currency().code()},
                          {"receipt", receipt_of(key)},
                          {"notes", notes_of(booking_id, reference)}});
}

std::optional<payment::SavedMethod> saved_of(const Value& payment) {
    const std::string customer = text_of(payment, "customer_id"), token = text_of(payment, "token_id");
    if (customer.empty() || token.empty())
        return {};
    return payment::SavedMethod{.customer = customer,
                                .method = token,
                                .brand = text_of(payment["card"], "network"),
                                .last4 = text_of(payment["card"], "last4")};
}

// The parts of their objects to store.
Value record_of(const Value& entity) {
    return without(entity, {"card", "card_id", "token_id", "email", "contact", "vpa", "bank_account", "acquirer_data",
                            "upi", "wallet"});
}

}  // namespace

bool carries(const Money& amount) {
    const bool is_whole =
        amount.currency().exponent() < 3 || amount.minor() % 10 == 0;  // of three decimals they take two
    return !amount.is_negative() && is_whole &&
           currencies_taken.find(amount.currency().code()) != std::string_view::npos;
}

std::optional<Money> money_of(std::int64_t units, std::string_view code) {
    const auto currency = Currency::parse(code);
    if (!currency || units < 0)
        return {};
    return Money(units, *currency);
}

std::string receipt_of(std::string_view key) { return crypto::sha256_hex(key).substr(0, 40); }

Value order_body(const payment::IntentRequest& request, std::string_view customer, Instant now) {
    Value order = order_of(request.amount, request.key, request.booking_id, request.booking_reference);
    if (customer.empty())
        return order;
    order.set("customer_id", customer);
    order.set("method", "card");
    order.set("token", Value::object({{"max_amount", std::max(request.amount.minor(), most_a_charge)},
                                      {"expire_at", now.plus(card_kept_for).seconds()},
                                      {"frequency", "as_presented"}}));
    return order;
}

// An existing customer is returned.
Value customer_body(const payment::IntentRequest& request) {
    Value customer = Value::object({{"name", request.customer_name}, {"email", request.customer_email}});
    if (!request.customer_phone.empty())
        customer.set("contact", request.customer_phone);
    customer.set("fail_existing", 0);
    return customer;
}

Value saved_order_body(const payment::SavedCharge& charge) {
    return order_of(charge.amount, charge.key, charge.booking_id, charge.booking_reference);
}

Value recurring_body(const payment::SavedCharge& charge, const std::string& order_id) {
    return Value::object({{"email", charge.customer_email},
                          {"contact", charge.customer_phone},
                          {"amount", charge.amount.minor()},
                          {"currency", charge.amount.currency().code()},
                          {"order_id", order_id},
                          {"customer_id", charge.method.customer},
                          {"token", charge.method.method},
                          {"recurring", true},
                          {"description", charge.description},
                          {"notes", notes_of(charge.booking_id, charge.booking_reference)}});
}

Value refund_body(const payment::RefundRequest& request) {
    return Value::object({{"amount", request.amount.minor()},
                          {"speed", "normal"},
                          {"receipt", receipt_of(request.key)},
                          {"notes", Value::object({{"reason", request.reason.substr(0, 200)}})}});
}

Result<payment::Charge> charge_of(const Value& payment) {
    const std::string id = text_of(payment, "id"), status = text_of(payment, "status");
    if (id.empty() || text_of(payment, "entity") != "payment")
        return garbled("the answer is no payment");
    payment::Charge charge{.intent_id = text_of(payment, "order_id"), .transaction_id = id};
    if (status == "captured" || status == "refunded") {  // refunds are events of their own
        charge.progress = Progress::paid;
        charge.amount = amount_of(payment);
        if (!charge.amount)
            return garbled("a captured payment names no amount");
        charge.fee = amount_of(payment, "fee");
    } else if (status == "authorized") {
        charge.progress = Progress::processing;
    } else if (status == "failed") {
        charge.progress = Progress::failed;
        charge.reason = text_of(payment, "error_description");
    } else if (status != "created") {
        return garbled("the payment's status is unknown");
    }
    if (charge.progress == Progress::paid || charge.progress == Progress::processing)
        charge.saved = saved_of(payment);
    charge.details = Value::object({{"status", status}, {"method", text_of(payment, "method")}});
    return charge;
}

Result<Value> decisive(const Value& payments) {
    if (!payments["items"].is_array())
        return garbled("the answer is no list of payments");
    Value best;
    int rank = 0;
    for (const Value& payment : payments["items"].items()) {
        const std::string status = text_of(payment, "status");
        const int its = status == "captured" || status == "refunded" ? 3
                        : status == "authorized"                     ? 2
                        : status == "failed"                         ? 1
                                                                     : 0;
        if (its > rank) {
            rank = its;
            best = payment;
        }
    }
    return best;
}

Result<payment::Refund> refund_of(const Value& refund) {
    const std::string id = text_of(refund, "id"), status = text_of(refund, "status");
    if (id.empty() || text_of(refund, "entity") != "refund")
        return garbled("the answer is no refund");
    payment::Refund result{.id = id, .amount = amount_of(refund)};
    if (status == "processed")
        result.progress = Progress::paid;
    else if (status == "pending")
        result.progress = Progress::processing;
    else if (status == "failed")
        result.progress = Progress::failed;
    else
        return garbled("the refund's status is unknown");
    result.details = Value::object({{"status", status}});
    return result;
}

Result<payment::Event> event_of(const std::string& id, const Value& event) {
    using Kind = payment::Event::Kind;
    payment::Event read{.id = id, .type = text_of(event, "event")};
    if (read.id.empty() || read.type.empty())
        return Error(errc::webhook_rejected).because("an event without id or type");
    const Value& payment = event["payload"]["payment"]["entity"];
    const auto of_payment = [&](Kind kind) {
        read.kind = kind;
        read.intent_id = text_of(payment, "order_id");
        read.transaction_id = text_of(payment, "id");
        read.booking_id = booking_of(payment);
        read.object = record_of(payment);
    };
    if (read.type == "payment.captured") {
        of_payment(Kind::paid);
        read.amount = amount_of(payment);
    } else if (read.type == "payment.authorized") {
        of_payment(Kind::processing);
    } else if (read.type == "payment.failed") {
        of_payment(Kind::failed);
        read.reason = text_of(payment, "error_description");
    } else if (read.type == "refund.processed") {
        const Value& refund = event["payload"]["refund"]["entity"];
        of_payment(Kind::refunded);
        read.transaction_id = text_of(refund, "payment_id");
        read.refund_id = text_of(refund, "id");
        read.amount = amount_of(refund);
        read.refunded_total = amount_of(payment, "amount_refunded");
        read.object = record_of(refund);
    }
    return read;
}

Error error_of(int status, const Value& body) {
    const Value& error = body["error"];
    const std::string cause = std::to_string(status) + " " + text_of(error, "code") + " " + text_of(error, "reason");
    return status == 401 || status == 403 ? keyless(cause) : refused(cause);
}

bool proves(std::string_view order_id, std::string_view payment_id, std::string_view signature,
            std::string_view key_secret) {
    return !key_secret.empty() &&
           crypto::equal(signature,
                         crypto::hmac_sha256_hex(key_secret, std::string(order_id) + "|" + std::string(payment_id)));
}

}  // namespace svc::pro::gateways::razorpay
