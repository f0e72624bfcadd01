// Keyed digests by HMAC-SHA256, as payment providers sign with, and random bytes.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace svc::pro::crypto {

std::string hmac_sha256(std::string_view key, std::string_view text);      // 32 bytes
std::string hmac_sha256_hex(std::string_view key, std::string_view text);  // 64 lower-case hex digits
std::string sha256_hex(std::string_view text);                             // the same
// Constant time over equal lengths; different lengths are simply unequal.
bool equal(std::string_view a, std::string_view b);
std::string base64(std::string_view bytes);
std::optional<std::string> from_base64(std::string_view text);  // with padding; nothing for any other text
std::string random_bytes(std::size_t count);
std::string random_hex(std::size_t bytes);

}  // namespace svc::pro::crypto
