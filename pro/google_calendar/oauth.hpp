// What OAuth 2.0 with PKCE (RFC 6749, RFC 7636) needs to compute. Pure but for the random bytes; any thread.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

#include "pro/crypto/hmac.hpp"

namespace svc::pro::google_calendar {

inline std::string base64url(std::string_view bytes) {
    std::string text = crypto::base64(bytes);
    std::replace(text.begin(), text.end(), '+', '-');
    std::replace(text.begin(), text.end(), '/', '_');
    text.erase(std::find(text.begin(), text.end(), '='), text.end());
    return text;
}

// 256 bits, as 43 characters of an address.
inline std::string random_word() { return base64url(crypto::random_bytes(32)); }

// What the consent page gets of a verifier: method S256.
inline std::string challenge_of(std::string_view verifier) {
    const std::string hex = crypto::sha256_hex(verifier);
    const auto digit = [](char c) { return c <= '9' ? c - '0' : c - 'a' + 10; };
    std::string bytes;
    for (std::size_t i = 0; i < hex.size(); i += 2)
        bytes += static_cast<char>(digit(hex[i]) * 16 + digit(hex[i + 1]));
    return base64url(bytes);
}

}  // namespace svc::pro::google_calendar
