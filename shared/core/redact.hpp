// What may not stand in a log: which names hold secrets. The patterns are applied by log::redacted.
#pragma once

#include <string_view>

namespace svc::log {

// What stands in the place of a secret.
inline constexpr std::string_view removed = "[removed]";

// Whether a value of that name is a secret: headers, parameters, settings and columns alike
// ("Authorization", "booking_token", "smtpPassword", "license_key").
bool is_secret_name(std::string_view name);

}  // namespace svc::log
