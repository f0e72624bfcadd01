// Stripe's messages: requests, and parsing of responses and events. Pure functions.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "shared/payment/gateway.hpp"

namespace svc::pro::gateways::stripe {

// The release of their interface whose shapes these are; sent with each request.
inline constexpr const char* version = "2024-06-20";

using Form = std::vector<std::pair<std::string, std::string>>;
std::string encoded(const Form& form);  // application/x-www-form-urlencoded

// Their smallest unit of an amount, which is not always the currency's: empty when they cannot charge exactly that.
bool carries(Currency currency);  // whether they take payments in it
std::optional<std::int64_t> units_of(const Money& amount);
std::optional<Money> money_of(std::int64_t units, std::string_view currency);  // any case of letters

// By the operator's configuration: the ways to pay, the words on the statement.
Form intent_form(const payment::IntentRequest& request, const std::string& customer, const json::Value& config);
Form saved_charge_form(const payment::SavedCharge& charge, const json::Value& config);
inline constexpr std::size_t longest_descriptor = 22;  // of the text on a statement
// The text without characters that make Stripe reject the charge; empty: nothing is left.
std::string on_statement(std::string_view words);
Form refund_form(const payment::RefundRequest& request);

// Whether an intent can still be cancelled, to release an authorization.
bool is_open(const json::Value& intent);
// Whether an object belongs to test or live mode; one without the member to both.
bool is_of_world(const json::Value& object, bool test_mode);
// Of a payment intent. Has an amount only where the intent reports one as received.
Result<payment::Charge> charge_of(const json::Value& intent);
std::string latest_charge_of(const json::Value& intent);  // its id; empty when there is none
Result<payment::Refund> refund_of(const json::Value& refund);
// An event whose signature is proven.
Result<payment::Event> event_of(const json::Value& event);

// The meaning of a response's error object: declined by the bank (payment_failed, with a sentence for the customer), or
// rejected for another reason (payment_error).
Error error_of(int status, const json::Value& body);

}  // namespace svc::pro::gateways::stripe
