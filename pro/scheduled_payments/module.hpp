// Registers the module scheduled_payments, on a base that can charge and report payments.
#pragma once

#include "shared/plugin/host.hpp"

namespace svc::pro::scheduled_payments {

// Registers nothing on a base that cannot charge without the customer, run jobs or report payments.
void attach(plugin::Host& host, const plugin::Step& storage);

}  // namespace svc::pro::scheduled_payments
