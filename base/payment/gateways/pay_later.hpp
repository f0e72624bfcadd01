// The gateway of the base edition that asks for nothing now: the customer pays by the operator's instructions.
#pragma once

#include <memory>

#include "base/payment/gateways/gateway.hpp"

namespace svc::payment {

std::shared_ptr<Gateway> make_pay_later();

// What part of the total that configuration asks who pays later for; none: all of it.
std::optional<Rate> required_deposit(const json::Value& config);

}  // namespace svc::payment
