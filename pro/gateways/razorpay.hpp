// razorpay: cards, UPI, wallets and banks by Razorpay's orders, with refunds and signed events.
#pragma once

#include <memory>

#include "pro/gateways/provider.hpp"

namespace svc::pro::gateways {

std::unique_ptr<plugin::Gateway> razorpay_gateway(Send send);

}  // namespace svc::pro::gateways
