// stripe: cards and more by Stripe's PaymentIntents, with 3-D Secure, saved methods, refunds and signed events.
#pragma once

#include <memory>

#include "pro/gateways/provider.hpp"

namespace svc::pro::gateways {

std::unique_ptr<plugin::Gateway> stripe_gateway(Send send);

}  // namespace svc::pro::gateways
