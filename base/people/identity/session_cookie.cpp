// Reads and writes the session's cookie, and makes and proves nonces.
#include "base/people/identity/session_cookie.hpp"

#include <charconv>

#include "base/people/identity/user.hpp"
#include "shared/core/ascii.hpp"

namespace svc::identity {
namespace {

// How long a nonce is valid after it was made.
constexpr std::chrono::microseconds nonce_lives = std::chrono::hours(24);
constexpr std::size_t proof_digits = 32;  // behind them the moment, in microseconds since 1970

std::string proof_of(const crypto::Keyring& keyring, std::string_view session_key, std::int64_t user_id,
                     std::string_view made_at) {
    std::string bound(session_key);
    bound.append("\n").append(std::to_string(user_id)).append("\n").append(made_at);
    return crypto::hex(keyring.mac("nonce", bound).substr(0, proof_digits / 2));
}

// False when another value was found before.
bool collect(std::string_view header, std::string_view name, std::optional<std::string>& found) {
    for (bool more = true; more;) {
        const auto end = header.find(';');
        more = end != std::string_view::npos;
        const auto pair = ascii::trimmed(header.substr(0, end));
        if (more)
            header.remove_prefix(end + 1);
        const auto equals = pair.find('=');
        if (equals == std::string_view::npos || ascii::trimmed(pair.substr(0, equals)) != name)
            continue;
        const auto value = ascii::trimmed(pair.substr(equals + 1));
        if (found && *found != value)
            return false;
        found = value;
    }
    return true;
}

std::optional<std::string> only_tokens(std::optional<std::string> value) {
    return value && is_token(*value) ? value : std::nullopt;
}

}  // namespace

std::string session_cookie_name(bool secure) { return secure ? "__Host-svc_session" : "svc_session"; }

std::optional<std::string> session_cookie(const limits::Headers& headers, bool secure) {
    const std::string name = session_cookie_name(secure);
    std::optional<std::string> found;
    for (const auto& [field, value] : headers)
        if (limits::same_name(field, "Cookie") && !collect(value, name, found))
            return std::nullopt;
    return only_tokens(std::move(found));
}

std::optional<std::string> session_cookie(std::string_view cookie_header, bool secure) {
    std::optional<std::string> found;
    if (!collect(cookie_header, session_cookie_name(secure), found))
        return std::nullopt;
    return only_tokens(std::move(found));
}

std::string set_session_cookie(std::string_view token, bool secure, std::optional<std::int64_t> max_age) {
    std::string cookie = session_cookie_name(secure) + "=" + std::string(token) + "; Path=/; HttpOnly; SameSite=Lax";
    if (secure)
        cookie += "; Secure";
    if (max_age)
        cookie += "; Max-Age=" + std::to_string(*max_age);
    return cookie;
}

std::string signed_in_hint(bool secure) {
    return std::string(secure ? "__Host-" : "") + "svc_in=1; Path=/; SameSite=Lax" + (secure ? "; Secure" : "");
}

Nonce make_nonce(const crypto::Keyring& keyring, std::string_view session_key, std::int64_t user_id, Instant now) {
    const std::string made_at = std::to_string(now.micros());
    return {.text = proof_of(keyring, session_key, user_id, made_at) + made_at, .expires_at = now.plus(nonce_lives)};
}

bool is_nonce(const crypto::Keyring& keyring, std::string_view text, std::string_view session_key, std::int64_t user_id,
              Instant now) {
    if (text.size() <= proof_digits || text.size() > longest_nonce)
        return false;
    // Verified first, so that the parsed text is known to be ours.
    const std::string_view made_at = text.substr(proof_digits);
    if (!keyring.any([&](const crypto::Keyring& one) {
            return crypto::equal(text.substr(0, proof_digits), proof_of(one, session_key, user_id, made_at));
        }))
        return false;
    std::int64_t micros = 0;
    const auto read = std::from_chars(made_at.data(), made_at.data() + made_at.size(), micros);
    return read.ec == std::errc{} && now < Instant::from_micros(micros).plus(nonce_lives);
}

}  // namespace svc::identity
