// Verifies that an event was signed with a shared secret. Pure functions over the received bytes.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "shared/core/date.hpp"
#include "shared/core/result.hpp"

namespace svc::pro::gateways {

// Secrets that count: the present one and, while keys are changed, the one before. Empty and blank ones never count.
std::vector<std::string> usable_secrets(const std::vector<std::string>& configured);

// `t=<unix>,v1=<hex>[,v1=<hex>]` over "<t>.<body>": any v1 by any secret, at most 300 seconds off. The error's cause
// has the reason for log and metrics; the caller only gets svc_webhook_rejected.
Result<void> check_timed_signature(std::string_view header, std::string_view body,
                                   const std::vector<std::string>& secrets, Instant now);

// 64 hex digits over the body.
Result<void> check_plain_signature(std::string_view header, std::string_view body,
                                   const std::vector<std::string>& secrets);

}  // namespace svc::pro::gateways
