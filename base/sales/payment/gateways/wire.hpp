// How gateways look on the wire.
#pragma once

#include "base/sales/payment/gateways/service.hpp"
#include "shared/api/schema.hpp"

namespace svc::payment {

json::Value to_json(const OfferedGateway& offered);  // as customers see it
json::Value to_json(const OfferedGateway& offered, std::optional<Instant> pay_by);
// As the operator configures it; `shipped`: the instructions while none are stored.
json::Value to_definition(const OfferedGateway& offered, const std::optional<std::string>& shipped = {});

// The schemas of these answers.
api::Type gateway_answer();
api::Type definition_answer();

}  // namespace svc::payment
