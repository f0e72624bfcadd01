// How gateways look on the wire.
#pragma once

#include "base/payment/gateways/service.hpp"
#include "shared/api/schema.hpp"

namespace svc::payment {

json::Value to_json(const OfferedGateway& offered);        // what a customer sees
json::Value to_definition(const OfferedGateway& offered);  // what the operator configures

// What these answer.
api::Type gateway_answer();
api::Type definition_answer();

}  // namespace svc::payment
