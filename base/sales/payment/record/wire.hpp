// How payments look on the wire, for routes and events alike.
#pragma once

#include "base/sales/payment/record/payment.hpp"
#include "shared/api/schema.hpp"
#include "shared/json/value.hpp"

namespace svc::payment {

json::Value to_json(const Payment& payment);      // for staff
json::Value to_own_json(const Payment& payment);  // for the booking's customer: without the staff's notes

// The currency of that code, in capitals or not.
std::optional<Currency> currency_named(std::string_view code);

// The schemas of these answers.
api::Type payment_answer();
api::Type payment_status_answer();  // with the status of its booking

}  // namespace svc::payment
