// How payments and gateways look on the wire, for routes and events alike.
#pragma once

#include "base/payment/payment.hpp"
#include "base/payment/service.hpp"
#include "shared/json/value.hpp"

namespace svc::payment {

json::Value to_json(const Payment& payment);
json::Value to_json(const OfferedGateway& offered);        // what a customer sees
json::Value to_definition(const OfferedGateway& offered);  // what the operator configures

}  // namespace svc::payment
