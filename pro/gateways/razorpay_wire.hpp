// Razorpay's messages: requests, and parsing of responses and events. Pure functions.
#pragma once

#include <optional>
#include <string>

#include "shared/payment/gateway.hpp"

namespace svc::pro::gateways::razorpay {

// Whether they accept that amount in its currency; zero checks the currency alone.
bool carries(const Money& amount);
std::optional<Money> money_of(std::int64_t units, std::string_view currency);

// At most 40 characters, the same for the same key.
std::string receipt_of(std::string_view key);
// With a customer the card is saved, so that it can be charged later without them.
json::Value order_body(const payment::IntentRequest& request, std::string_view customer, Instant now);
json::Value customer_body(const payment::IntentRequest& request);
// A charge by a saved card: its order first, then the payment of it.
json::Value saved_order_body(const payment::SavedCharge& charge);
json::Value recurring_body(const payment::SavedCharge& charge, const std::string& order_id);
json::Value refund_body(const payment::RefundRequest& request);

// Of a payment entity: captured is paid, authorized waits for its capture. Includes the saved card.
Result<payment::Charge> charge_of(const json::Value& payment);
// The decisive payment of an order: captured before authorized before failed; without payments it waits.
Result<json::Value> decisive(const json::Value& payments);
Result<payment::Refund> refund_of(const json::Value& refund);
// An event whose signature is proven; `id` is the header's.
Result<payment::Event> event_of(const std::string& id, const json::Value& event);

Error error_of(int status, const json::Value& body);

// Whether the page's signature fits: over order and payment, by the key's secret.
bool proves(std::string_view order_id, std::string_view payment_id, std::string_view signature,
            std::string_view key_secret);

}  // namespace svc::pro::gateways::razorpay
