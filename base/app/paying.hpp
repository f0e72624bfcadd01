// What paying by gateways is made of.
#pragma once

#include "base/app/assembly.hpp"

namespace svc::app {

// They refer to the assembly; nothing is asked before it is built.
payment::Refunds::Parts refunds_parts(Assembly& parts);
payment::Checkout::Parts checkout_parts(Assembly& parts);

}  // namespace svc::app
