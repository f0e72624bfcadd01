// Puts the module scheduled_payments in place, on a base that can charge and tell of it.
#pragma once

#include "shared/plugin/host.hpp"

namespace svc::pro::scheduled_payments {

// A base that cannot charge without the customer there, run jobs or tell of payments has no such module.
void attach(plugin::Host& host, const plugin::Step& storage);

}  // namespace svc::pro::scheduled_payments
