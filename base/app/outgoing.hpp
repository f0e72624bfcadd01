// How the base's parts and its plugins reach other servers: by the one fetch, where the operator lets it go.
#pragma once

#include "base/app/base.hpp"
#include "base/payment/paypal.hpp"
#include "base/platform/plugins/plugins.hpp"

namespace svc::app {

payment::Fetch gateway_fetch(const BaseOptions& options);
std::function<Result<plugins::FetchReply>(const plugins::FetchRequest&)> plugin_fetch(const BaseOptions& options);

}  // namespace svc::app
