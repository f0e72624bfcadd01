// The gateway of the base edition that asks for nothing now: the customer pays by the operator's instructions.
#pragma once

#include <memory>

#include "base/payment/gateway.hpp"

namespace svc::payment {

std::shared_ptr<Gateway> make_pay_later();

}  // namespace svc::payment
