// People and programs that may come in: users, their sessions and application passwords, and how each is named.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "shared/core/date.hpp"

namespace svc::identity {

struct User {
    std::int64_t id = 0;
    std::string login = {}, email = {}, password_hash = {}, display_name = {};
    std::string role = {};    // slug
    std::string status = {};  // active, pending_verification, blocked
    bool email_verified = false;
};

// The user of a live credential, in one row.
struct Principal {
    std::int64_t credential_id = 0, user_id = 0;
    std::string login, login_lower, email, email_lower;
    bool email_verified = false, is_active = false;
    std::string role, role_capabilities;  // the latter JSON, for roles of the operator's own
    bool has_own_capabilities = false;
    Instant used_at;  // last recorded use
};

// A grant or a revocation in addition to the role.
struct OwnCapability {
    std::string capability;
    bool granted = false;
};

struct ApplicationPassword {
    std::int64_t id = 0;
    std::string name;
    Instant created_at;
    std::optional<Instant> last_used_at;
    std::optional<std::string> last_address;
};

// A live cookie session as its owner sees it.
struct OwnSession {
    std::int64_t id = 0;
    Instant created_at, seen_at, expires_at;
    std::string address, user_agent;
    bool is_current = false;
};

struct NewApplicationPassword {
    std::int64_t id = 0;
    std::string name = {}, password = {};  // shown this once
    Instant created_at = {};
};

// 24 characters without lookalikes: 139 bits.
inline constexpr std::string_view password_alphabet = "abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789";
inline constexpr std::size_t password_length = 24;

// The form in which logins and addresses are compared: composed, trimmed, without invisible characters, ASCII letters
// small, an address's domain in ASCII.
std::string folded(std::string_view name);

// Whether the text could be a random_token(): 43 URL-safe characters. Anything else is never looked up.
bool is_token(std::string_view text);

}  // namespace svc::identity
