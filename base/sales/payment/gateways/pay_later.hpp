// The base edition's gateway for paying later, by the operator's instructions.
#pragma once

#include <memory>

#include "base/sales/payment/gateways/gateway.hpp"

namespace svc::payment {

std::shared_ptr<Gateway> make_pay_later();

}  // namespace svc::payment
