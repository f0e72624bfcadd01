// A gateway's secrets and the addresses of its configuration that they are sent to.
#pragma once

#include "shared/payment/gateway.hpp"

namespace svc::payment {

// 400 naming the secrets that must be given again, as `after` has another host than `before` and `changes` gives them
// masked or not at all. Pure, any thread.
Result<void> check_gateway_hosts(const GatewayInfo& info, const json::Value& before, const json::Value& changes,
                                 const json::Value& after);

}  // namespace svc::payment
