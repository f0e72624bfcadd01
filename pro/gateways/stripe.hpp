// stripe: cards and more by Stripe's PaymentIntents, with 3-D Secure, saved methods, refunds and signed events.
#pragma once

#include <memory>

#include "pro/gateways/provider.hpp"
#include "shared/pages/origins.hpp"

namespace svc::pro::gateways {

std::unique_ptr<plugin::Gateway> stripe_gateway(Send send);
// The origins that pages with this gateway need.
pages::Origins stripe_origins();

}  // namespace svc::pro::gateways
