// The fields of gateways' configuration forms, and what they take.
#pragma once

#include <string_view>
#include <vector>

#include "shared/payment/gateway.hpp"

namespace svc::payment {

inline const std::string common_secret = "webhook_secret";
// False for gateways whose provider proves events otherwise, or has no events.
bool has_common_secret(const GatewayInfo& info);
const GatewayField* field_named(const std::vector<GatewayField>& fields, std::string_view name);
bool is_blank(const json::Value& given);
// A field that had an effect in earlier releases: taken from clients that send it, and neither stored nor shown.
bool is_retired(std::string_view name);
// The member in the field's own kind, or the sentence why not.
Result<json::Value> checked(const GatewayField& field, const json::Value& given);
// Whether the changes empty a field without which the gateway takes no payment.
bool empties_required(const std::vector<GatewayField>& fields, const json::Value& changes);
// The form asks for these as the gateway is switched on, and proposes a value to who sends none.
Result<void> take_proposals(const std::vector<GatewayField>& fields, const json::Value& changes, json::Value& config);

}  // namespace svc::payment
