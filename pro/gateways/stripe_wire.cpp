// Stripe's messages, written and read.
#include "pro/gateways/stripe_wire.hpp"

#include <algorithm>
#include <array>
#include <charconv>

#include "pro/gateways/provider.hpp"
#include "shared/core/uri.hpp"

namespace svc::pro::gateways::stripe {
namespace {

using json::Value;
using payment::Progress;

// Where their unit is not the currency's minor unit (https://docs.stripe.com/currencies).
struct Odd {
    std::string_view code;
    int their_decimals;
};
constexpr std::array<Odd, 3> odd{{{"ISK", 2}, {"UGX", 2}, {"MGA", 0}}};

// The currencies they take (https://docs.stripe.com/currencies#presentment-currencies).
constexpr std::string_view currencies_taken =
    "AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BRL "
    "BSD BWP BYN BZD CAD CDF CHF CLP CNY COP CRC CVE CZK DJF DKK DOP DZD EGP ETB EUR "
    "FJD FKP GBP GEL GIP GMD GNF GTQ GYD HKD HNL HTG HUF IDR ILS INR ISK JMD JOD JPY "
    "KES KGS KHR KMF KRW KWD KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP "
    "MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG "
    "QAR RON RSD RUB RWF SAR SBD SCR SEK SGD SHP SLE SOS SRD STD SZL THB TJS TND TOP "
    "TRY TTD TWD TZS UAH UGX USD UYU UZS VND VUV WST XAF XCD XOF XPF YER ZAR ZMW ";

int decimals_of(Currency currency) {
    for (const Odd& one : odd)
        if (one.code == currency.code())
            return one.their_decimals;
    return currency.exponent();
}

std::string upper(std::string_view text) {
    std::string up(text);
    for (char& c : up)
        if (c >= 'a' && c <= 'z')
            c = static_cast<char>(c - 'a' + 'A');
    return up;
}

std::string lower(std::string_view text) {
    std::string low(text);
    for (char& c : low)
        if (c >= 'A' && c <= 'Z')
            c = static_cast<char>(c - 'A' + 'a');
    return low;
}

void add_amount(Form& form, const Money& amount) {
    form.emplace_back("amount", std::to_string(units_of(amount).value_or(0)));
    form.emplace_back("currency", lower(amount.currency().code()));
}

void add(Form& form, const char* name, const std::string& value) {
    if (!value.empty())
        form.emplace_back(name, value);
}

// An id, or the expanded object.
std::string id_of(const Value& member) {
    return member.is_object() ? text_of(member, "id") : member.is_string() ? member.text() : "";
}

std::optional<std::int64_t> booking_of(const Value& object) {
    const std::string text = text_of(object["metadata"], "booking_id");
    std::int64_t id = 0;
    const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), id);
    return failed == std::errc{} && end == text.data() + text.size() && id > 0 ? std::optional(id) : std::nullopt;
}

Result<Progress> progress_of(const Value& intent) {
    const std::string status = text_of(intent, "status");
    if (status == "succeeded")
        return Progress::paid;
    if (status == "processing")
        return Progress::processing;
    if (status == "canceled")
        return Progress::cancelled;
    if (status == "requires_payment_method")  // before the first try, and again after one that failed
        return intent["last_payment_error"].is_object() ? Progress::failed : Progress::waiting;
    if (status == "requires_action" || status == "requires_confirmation" || status == "requires_capture")
        return Progress::waiting;
    return garbled("the intent's status is unknown");
}

std::optional<payment::SavedMethod> saved_of(const Value& intent) {
    const std::string customer = id_of(intent["customer"]), method = id_of(intent["payment_method"]);
    if (text_of(intent, "setup_future_usage") != "off_session" || customer.empty() || method.empty())
        return {};
    const Value& card = intent["payment_method"]["card"];
    return payment::SavedMethod{.customer = customer,
                                .method = method,
                                .brand = text_of(card, "brand"),
                                .last4 = text_of(card, "last4"),
                                .exp_month = whole(card, "exp_month").value_or(0),
                                .exp_year = whole(card, "exp_year").value_or(0)};
}

// The parts of their objects to store.
Value record_of(const Value& object) {
    return without(object, {"client_secret", "payment_method_details", "billing_details", "card", "source",
                            "receipt_email", "receipt_url", "shipping", "last_payment_error"});
}

}  // namespace

std::string encoded(const Form& form) {
    std::string out;
    for (const auto& [name, value] : form)
        out.append(out.empty() ? "" : "&")
            .append(text::uri_component(name))
            .append("=")
            .append(text::uri_component(value));
    return out;
}

bool carries(Currency currency) { return currencies_taken.find(currency.code()) != std::string_view::npos; }

std::optional<std::int64_t> units_of(const Money& amount) {
    const int ours = amount.currency().exponent(), theirs = decimals_of(amount.currency());
    std::int64_t units = amount.minor();
    for (int i = ours; i < theirs; ++i)
        if (__builtin_mul_overflow(units, 10, &units))
            return {};
    for (int i = theirs; i < ours; ++i) {
        if (units % 10 != 0)
            return {};
        units /= 10;
    }
    if (ours == 3 && units % 10 != 0)  // of three decimals they take two
        return {};
    return units > 0 && units <= 99'999'999'999 ? std::optional(units) : std::nullopt;
}

std::optional<Money> money_of(std::int64_t units, std::string_view code) {
    const auto currency = Currency::parse(upper(code));
    if (!currency || units < 0)
        return {};
    const int ours = currency->exponent(), theirs = decimals_of(*currency);
    for (int i = theirs; i < ours; ++i)
        if (__builtin_mul_overflow(units, 10, &units))
            return {};
    for (int i = ours; i < theirs; ++i) {
        if (units % 10 != 0)
            return {};
        units /= 10;
    }
    return Money(units, *currency);
}

std::string on_statement(std::string_view words) {
    std::string taken;
    bool has_letter = false;
    for (const char c : words) {
        if (c < ' ' || c > '~' || std::string_view("<>\\'\"*").find(c) != std::string_view::npos ||
            (c == ' ' && (taken.empty() || taken.back() == ' ')))
            continue;
        if (taken.size() == longest_descriptor)
            break;
        taken += c;
        has_letter = has_letter || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    }
    if (!has_letter)
        return {};
    while (taken.ends_with(' '))
        taken.pop_back();
    return taken;
}

Form intent_form(const payment::IntentRequest& request, const std::string& customer, const Value& config) {
    Form form;
    add_amount(form, request.amount);
    const Value& methods = config["enabled_methods"];
    const bool are_chosen = methods.is_array() && methods.size() > 0;
    if (are_chosen)
        for (const Value& method : methods.items())
            form.emplace_back("payment_method_types[]", method.text());
    else
        form.emplace_back("automatic_payment_methods[enabled]", "true");
    add(form, "description", request.description);
    if (request.booking_id != 0)  // one for a session has none yet
        form.emplace_back("metadata[booking_id]", std::to_string(request.booking_id));
    add(form, "metadata[booking_reference]", request.booking_reference);
    if (request.hold)
        form.emplace_back("capture_method", "manual");
    add(form, "statement_descriptor_suffix", on_statement(config.text_or("statement_descriptor")));
    add(form, "customer", customer);
    if (request.save_method)
        form.emplace_back("setup_future_usage", "off_session");
    return form;
}

Form saved_charge_form(const payment::SavedCharge& charge, const Value& config) {
    Form form;
    add_amount(form, charge.amount);
    form.emplace_back("customer", charge.method.customer);
    form.emplace_back("payment_method", charge.method.method);
    form.emplace_back("off_session", "true");
    form.emplace_back("confirm", "true");
    add(form, "description", charge.description);
    form.emplace_back("metadata[booking_id]", std::to_string(charge.booking_id));
    add(form, "metadata[booking_reference]", charge.booking_reference);
    add(form, "statement_descriptor_suffix", on_statement(config.text_or("statement_descriptor")));
    return form;
}

Form refund_form(const payment::RefundRequest& request) {
    Form form{{"payment_intent", request.transaction_id.empty() ? request.intent_id : request.transaction_id},
              {"amount", std::to_string(units_of(request.amount).value_or(0))},
              {"reason", "requested_by_customer"}};
    add(form, "metadata[reason]", request.reason.substr(0, 500));
    return form;
}

bool is_open(const Value& intent) {
    const std::string status = text_of(intent, "status");
    return status != "succeeded" && status != "canceled" && status != "processing";
}

bool is_of_world(const Value& object, bool test_mode) {
    const auto live = object.maybe_boolean("livemode");
    return !live || *live != test_mode;
}

std::string latest_charge_of(const Value& intent) { return id_of(intent["latest_charge"]); }

Result<payment::Charge> charge_of(const Value& intent) {
    const std::string id = text_of(intent, "id");
    SVC_ASSIGN_OR_RETURN(const auto progress, progress_of(intent));
    if (id.empty() || text_of(intent, "object") != "payment_intent")
        return garbled("the answer is no payment intent");
    payment::Charge charge{.progress = progress, .intent_id = id};
    if (progress == Progress::failed)
        charge.reason = text_of(intent["last_payment_error"], "message");
    if (progress == Progress::paid) {
        const auto received = whole(intent, "amount_received");
        charge.amount = received ? money_of(*received, text_of(intent, "currency")) : std::nullopt;
        if (!charge.amount)
            return garbled("a paid intent names no amount");
        charge.transaction_id = id;
        charge.saved = saved_of(intent);
        const Value& fees = intent["latest_charge"]["balance_transaction"];
        if (const auto fee = whole(fees, "fee"))
            charge.fee = money_of(*fee, text_of(fees, "currency"));
    }
    charge.details = Value::object({{"status", text_of(intent, "status")}, {"charge", latest_charge_of(intent)}});
    return charge;
}

Result<payment::Refund> refund_of(const Value& refund) {
    const std::string id = text_of(refund, "id"), status = text_of(refund, "status");
    if (id.empty() || text_of(refund, "object") != "refund")
        return garbled("the answer is no refund");
    payment::Refund result{.id = id};
    if (status == "succeeded")
        result.progress = Progress::paid;
    else if (status == "pending")
        result.progress = Progress::processing;
    else if (status == "requires_action")
        result.progress = Progress::waiting;
    else if (status == "failed")
        result.progress = Progress::failed;
    else if (status == "canceled")
        result.progress = Progress::cancelled;
    else
        return garbled("the refund's status is unknown");
    const auto units = whole(refund, "amount");
    result.amount = units ? money_of(*units, text_of(refund, "currency")) : std::nullopt;
    result.reason = text_of(refund, "failure_reason");
    result.details = Value::object({{"status", status}});
    return result;
}

Result<payment::Event> event_of(const Value& event) {
    using Kind = payment::Event::Kind;
    const Value& object = event["data"]["object"];
    payment::Event read{.id = text_of(event, "id"), .type = text_of(event, "type")};
    if (read.id.empty() || read.type.empty())
        return Error(errc::webhook_rejected).because("an event without id or type");
    const auto of_intent = [&](Kind kind, const char* action) {
        read.kind = kind;
        read.intent_id = text_of(object, "id");
        read.booking_id = booking_of(object);
        read.action = action;
        read.object = record_of(object);
    };
    if (read.type == "payment_intent.succeeded") {
        of_intent(Kind::paid, "svc_card_payment_succeeded");
        read.transaction_id = read.intent_id;
        if (const auto received = whole(object, "amount_received"))
            read.amount = money_of(*received, text_of(object, "currency"));
    } else if (read.type == "payment_intent.payment_failed") {
        of_intent(Kind::failed, "svc_card_payment_failed");
        read.transaction_id = latest_charge_of(object);  // the try that failed
        read.reason = text_of(object["last_payment_error"], "message");
    } else if (read.type == "payment_intent.processing" || read.type == "payment_intent.amount_capturable_updated") {
        // Of a bank, or it waits for our capture: the intent is looked into at once.
        of_intent(Kind::processing, "");
    } else if (read.type == "charge.refunded") {
        read.kind = Kind::refunded;
        read.intent_id = read.transaction_id = id_of(object["payment_intent"]);
        read.booking_id = booking_of(object);
        if (const auto refunded = whole(object, "amount_refunded"))
            read.refunded_total = money_of(*refunded, text_of(object, "currency"));
        read.action = "svc_card_charge_refunded";
        read.object = record_of(object);
    }
    return read;
}

Error error_of(int status, const Value& body) {
    const Value& error = body["error"];
    const std::string type = text_of(error, "type"), code = text_of(error, "code"), help = text_of(error, "message");
    const std::string cause = std::to_string(status) + " " + type + (code.empty() ? "" : " ") + code;
    if (type == "card_error")
        return Error(errc::payment_failed,
                     help.empty() ? Sentence(SentenceId{errc::payment_failed.sentence}) : Sentence::verbatim(help))
            .because(cause);
    return status == 401 || status == 403 ? keyless(cause) : refused(cause);
}

}  // namespace svc::pro::gateways::stripe
