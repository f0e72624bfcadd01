// Redaction for logs: the names whose values are secret. The patterns are applied by log::redacted.
#pragma once

#include <string_view>

namespace svc::log {

// The replacement of a secret.
inline constexpr std::string_view removed = "[removed]";

// Whether a value of that name is a secret: headers, parameters, settings and columns alike
// ("Authorization", "booking_token", "smtpPassword", "license_key").
bool is_secret_name(std::string_view name);

}  // namespace svc::log
