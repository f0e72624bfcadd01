// PayPal by its Orders API, version 2: the customer approves on its pages, we capture.
#pragma once

#include <functional>
#include <memory>

#include "base/platform/outbound/fetch.hpp"
#include "base/sales/payment/gateways/gateway.hpp"

namespace svc::payment {

using Fetch = std::function<Result<outbound::FetchAnswer>(const outbound::FetchRequest&)>;

// `roots`: a PEM file of those that PayPal's certificates may come from; empty: the system's.
std::shared_ptr<Gateway> make_paypal(Fetch fetch, std::string roots = {});

}  // namespace svc::payment
