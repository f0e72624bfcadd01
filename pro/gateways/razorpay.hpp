// razorpay: cards, UPI, wallets and banks by Razorpay's orders, with refunds and signed events.
#pragma once

#include <memory>

#include "pro/gateways/provider.hpp"
#include "shared/pages/origins.hpp"

namespace svc::pro::gateways {

std::unique_ptr<plugin::Gateway> razorpay_gateway(Send send);
// The origins that pages with this gateway need.
pages::Origins razorpay_origins();

}  // namespace svc::pro::gateways
