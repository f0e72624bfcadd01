// Keyed digests by HMAC-SHA256, as payment providers sign with.
#pragma once

#include <string>
#include <string_view>

namespace svc::pro::crypto {

std::string hmac_sha256_hex(std::string_view key, std::string_view text);  // 64 lower-case hex digits
std::string sha256_hex(std::string_view text);                             // the same
// Constant time over equal lengths; different lengths are simply unequal.
bool equal(std::string_view a, std::string_view b);
std::string base64(std::string_view bytes);

}  // namespace svc::pro::crypto
