// The cookie of a session, and the nonce that proves a request was meant.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/platform/crypto/crypto.hpp"
#include "base/platform/limits/client_address.hpp"
#include "shared/core/date.hpp"

namespace svc::identity {

// "svc_session", behind TLS "__Host-svc_session", which browsers take from this host over TLS alone.
std::string session_cookie_name(bool secure);

// The value of that cookie. Empty when there is none, when it is malformed, or when two different ones were sent, of
// which one must be forged.
std::optional<std::string> session_cookie(const limits::Headers& headers, bool secure);
std::optional<std::string> session_cookie(std::string_view cookie_header, bool secure);

// The value of Set-Cookie. `max_age` empty: until the browser closes; 0: at once.
std::string set_session_cookie(std::string_view token, bool secure, std::optional<std::int64_t> max_age);

// Tells the site's scripts that somebody signed in on this browser; proves nothing.
std::string signed_in_hint(bool secure);

// X-Host-Nonce: an HMAC over session, user and its time of creation, which it contains; valid for 24 hours.
inline constexpr std::size_t longest_nonce = 64;
struct Nonce {
    std::string text;
    Instant expires_at;
};
Nonce make_nonce(const crypto::Keyring& keyring, std::string_view session_key, std::int64_t user_id, Instant now);
bool is_nonce(const crypto::Keyring& keyring, std::string_view text, std::string_view session_key, std::int64_t user_id,
              Instant now);

}  // namespace svc::identity
