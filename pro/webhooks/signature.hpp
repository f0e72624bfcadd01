// Secrets of endpoints, and signatures in the form of Standard Webhooks.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "shared/core/date.hpp"

namespace svc::pro::webhooks {

// A secret's bytes, 24 to 64 of them. As a text it is "whsec_" and their base64, as libraries of receivers take it.
std::string fresh_key();
std::string secret_text(std::string_view key);
// The bytes of a secret that somebody chose: of a "whsec_" text, else the characters themselves. Nothing for one that
// is too short, too long or no base64.
std::optional<std::string> key_of(std::string_view secret);

// "v1,{base64}" of each key, separated by blanks, over "{id}.{seconds}.{body}".
std::string signature(const std::vector<std::string>& keys, std::string_view id, Instant at, std::string_view body);

}  // namespace svc::pro::webhooks
