// What paying by gateways is made of.
#pragma once

#include "base/app/assembly.hpp"

namespace svc::app {

// They refer to the assembly; nothing is asked before it is built.
payment::Refunds::Parts refunds_parts(Assembly& parts);
payment::Checkout::Parts checkout_parts(Assembly& parts);
// What the customer is told of a refund's credit note.
messaging::Service::FindCreditNote credit_notes(Assembly& parts);
// What a plugin may charge, by the clock.
plugins::Charges plugin_charges(Assembly& parts);

}  // namespace svc::app
