// How payments are stored and rendered.
#pragma once

#include "base/payment/record/payment.hpp"
#include "shared/record/record.hpp"

namespace svc::payment {

// Read with their booking. What other statements write is not written by it: what went back, and that a completion has
// been told.
const record::Record<Payment>& payment_record();

}  // namespace svc::payment
