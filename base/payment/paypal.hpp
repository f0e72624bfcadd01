// PayPal by its Orders API, version 2: the customer approves on its pages, we capture.
#pragma once

#include <functional>
#include <memory>

#include "base/payment/gateway.hpp"
#include "base/platform/outbound/fetch.hpp"

namespace svc::payment {

using Fetch = std::function<Result<outbound::FetchAnswer>(const outbound::FetchRequest&)>;

std::shared_ptr<Gateway> make_paypal(Fetch fetch);

}  // namespace svc::payment
