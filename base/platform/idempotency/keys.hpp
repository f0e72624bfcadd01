// Idempotency-Keys as they are sent, and whose they are. Pure functions.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>

#include "shared/api/route.hpp"

namespace svc::idempotency {

// A reply may contain a secret, such as a new session's; callers that share an address or an invented session must not
// find it by chance.
inline constexpr std::size_t shortest_of_strangers = 16;

// 1 to 255 visible ASCII characters.
bool is_key(std::string_view text);
// The owner of the key: the credential, the session, a guest's booking session or token, or else the address.
std::string scope_of(const api::Request& request);
// SHA-256 of the parts with their lengths, so that different parts never collide.
std::string hash_of(std::initializer_list<std::string_view> parts);

}  // namespace svc::idempotency
