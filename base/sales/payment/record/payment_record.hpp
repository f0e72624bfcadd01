// How payments are stored and rendered.
#pragma once

#include "base/sales/payment/record/payment.hpp"
#include "shared/record/record.hpp"

namespace svc::payment {

// Read with their booking. Refunds and the report of a completion are written by other statements.
const record::Record<Payment>& payment_record();

}  // namespace svc::payment
