// Requests to PayPal and its responses, after its reference.
#pragma once

#include "base/sales/payment/gateways/gateway.hpp"

namespace svc::payment::paypal {

// Whether PayPal takes that amount: its currencies, and whole units in those it knows no cents of.
bool takes(const Money& amount);
json::Value amount_json(const Money& amount);
// {"currency_code", "value"}; nothing when it is not one.
std::optional<Money> amount_from(const json::Value& value);

struct Seller {
    std::string brand = {};  // on PayPal's pages
    std::string payee = {};  // e-mail of the account that is paid; empty: the caller's own
};
json::Value order_json(const IntentRequest& request, const Seller& seller);
// Where the customer approves it; empty when the answer names no place.
std::string approval_url(const json::Value& order);
// The status of an order, by its newest capture if it has one.
Charge charge_from(const json::Value& order, std::int64_t booking_id);
Refund refund_from(const json::Value& refund);
Event event_from(const json::Value& event);

// The issue and the sentence of an error answer: "INSTRUMENT_DECLINED".
std::string issue_of(const json::Value& error);
std::string sentence_of(const json::Value& error);

// Members of untrusted JSON: absent or of another kind is nothing.
const json::Value& at(const json::Value& value, std::string_view name);
std::string text_at(const json::Value& value, std::string_view name);

}  // namespace svc::payment::paypal
