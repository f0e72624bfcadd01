// Stripe's messages: what is sent, and what is read out of what comes. Pure functions.
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
Form intent_form(const payment::IntentRequest& wanted, const std::string& customer, const json::Value& config);
Form saved_charge_form(const payment::SavedCharge& wanted, const json::Value& config);
inline constexpr std::size_t longest_descriptor = 22;  // of what stands on a statement
// What of those words Stripe takes, which refuses the whole charge for one sign too many; empty: nothing.
std::string on_statement(std::string_view words);
Form refund_form(const payment::RefundRequest& wanted);

// Whether an intent can still be cancelled, so that what it holds is let go.
bool is_open(const json::Value& intent);
// Whether an object of theirs is of the world for tests, or of the live one; one that does not say is of both.
bool is_of_world(const json::Value& object, bool test_mode);
// Of a payment intent. An amount is told only where the intent has one and says that it was received.
Result<payment::Charge> charge_of(const json::Value& intent);
std::string latest_charge_of(const json::Value& intent);  // its id; empty while there is none
Result<payment::Refund> refund_of(const json::Value& refund);
// An event whose signature is proven.
Result<payment::Event> event_of(const json::Value& event);

// What the error object of an answer says: declined by the bank (payment_failed, with a sentence for the customer), or
// refused for another reason (payment_error).
Error error_of(int status, const json::Value& body);

}  // namespace svc::pro::gateways::stripe
