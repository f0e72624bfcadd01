// How payments and gateways look on the wire, for routes and events alike.
#pragma once

#include "base/payment/payment.hpp"
#include "base/payment/service.hpp"
#include "shared/api/schema.hpp"
#include "shared/json/value.hpp"

namespace svc::payment {

json::Value to_json(const Payment& payment);               // for staff
json::Value to_own_json(const Payment& payment);           // for the booking's customer: without the staff's notes
json::Value to_json(const OfferedGateway& offered);        // what a customer sees
json::Value to_definition(const OfferedGateway& offered);  // what the operator configures

// The currency of that code, in capitals or not.
std::optional<Currency> currency_named(std::string_view code);

// What these answer.
api::Type payment_answer();
api::Type told_payment_answer();  // with the status of its booking
api::Type gateway_answer();
api::Type definition_answer();

}  // namespace svc::payment
