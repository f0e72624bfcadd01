// Bank transfer: the customer pays by hand and names the booking; staff record the money when it has come.
#pragma once

#include <memory>

#include "shared/plugin/host.hpp"

namespace svc::pro::gateways {

// The host outlives the gateway.
std::unique_ptr<plugin::Gateway> bank_transfer(const plugin::Host& host);

}  // namespace svc::pro::gateways
