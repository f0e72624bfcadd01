// Gateway calls and their results as the JSON texts of the plugin interface (svc.gateways/2).
#pragma once

#include "shared/json/value.hpp"
#include "shared/payment/gateway.hpp"

namespace svc::plugin {

// The readers throw Malformed, which names the member.
json::Value to_json(const payment::GatewayInfo& info);
payment::GatewayInfo gateway_info_from(const json::Value& value);

json::Value to_json(const payment::Situation& situation);
payment::Situation situation_from(const json::Value& value);

json::Value to_json(const payment::IntentRequest& request);
payment::IntentRequest intent_request_from(const json::Value& value);
json::Value to_json(const payment::Intent& intent);
payment::Intent intent_from(const json::Value& value);

json::Value to_json(const payment::Inquiry& inquiry);
payment::Inquiry inquiry_from(const json::Value& value);
json::Value to_json(const payment::Charge& charge);
payment::Charge charge_from(const json::Value& value);

json::Value to_json(const payment::SavedMethod& method);
payment::SavedMethod saved_method_from(const json::Value& value);
json::Value to_json(const payment::SavedCharge& charge);
payment::SavedCharge saved_charge_from(const json::Value& value);

// By its name as it crosses: "paid". Malformed for another.
std::string_view name_of(payment::Progress progress);
payment::Progress progress_named(const json::Value& object, std::string_view member);
json::Value to_json(const Money& money);  // minor units with their currency
Money money_from(const json::Value& object, std::string_view member);

json::Value to_json(const payment::RefundRequest& request);
payment::RefundRequest refund_request_from(const json::Value& value);
json::Value to_json(const payment::Refund& refund);
payment::Refund refund_from(const json::Value& value);

json::Value headers_json(const payment::WebhookCall& call);  // the body crosses beside it, as bytes
payment::WebhookCall webhook_call_from(const json::Value& headers, std::string_view body);
json::Value to_json(const std::vector<payment::Event>& events);
std::vector<payment::Event> events_from(const json::Value& value);

}  // namespace svc::plugin
