// How gateways look on the wire.
#pragma once

#include "base/payment/gateways/service.hpp"
#include "shared/api/schema.hpp"

namespace svc::payment {

json::Value to_json(const OfferedGateway& offered);        // as customers see it
json::Value to_definition(const OfferedGateway& offered);  // as the operator configures it

// The schemas of these answers.
api::Type gateway_answer();
api::Type definition_answer();

}  // namespace svc::payment
