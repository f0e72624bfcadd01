// The SQL of users, roles, sessions and application passwords.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/people/identity/user.hpp"
#include "shared/store/store.hpp"

namespace svc::identity::repository {

// Roles. `capabilities` is a JSON list.
struct StoredRole {
    std::string slug, label, capabilities;
    friend bool operator==(const StoredRole&, const StoredRole&) = default;
};
std::vector<StoredRole> system_roles(store::Session& session);
void put_system_role(store::Transaction& tx, std::string_view slug, std::string_view label,
                     std::string_view capabilities, Instant now);
std::vector<std::string> role_slugs(store::Session& session);  // of all roles, in alphabetical order
std::optional<std::int64_t> role_id(store::Session& session, std::string_view slug);

// Users. `name` is folded: a login or an e-mail address.
std::optional<User> find_user(store::Session& session, std::string_view name);
std::optional<User> find_user(store::Session& session, std::int64_t id);
void verification_sent(store::Transaction& tx, std::int64_t id, Instant now);
// Marks the address as verified; the user may sign in.
void set_verified(store::Transaction& tx, std::int64_t id, Instant now);
bool has_users(store::Session& session);
bool has_email(store::Session& session, std::string_view email);
bool has_login(store::Session& session, std::string_view login);
std::int64_t insert_user(store::Transaction& tx, const User& user, std::int64_t role_id, Instant now);
void signed_in(store::Transaction& tx, std::int64_t user_id, Instant now);
// Only while the hash is still `before`.
void rehash(store::Transaction& tx, std::int64_t user_id, std::string_view before, std::string_view hash, Instant now);
// Only while the hash is still `before`; false when it is another one by now.
bool set_password(store::Transaction& tx, std::int64_t user_id, std::string_view before, std::string_view hash,
                  Instant now);
// The address that waits for its proof.
std::optional<std::string> pending_email(store::Session& session, std::int64_t user_id);
void set_pending_email(store::Transaction& tx, std::int64_t user_id, const std::optional<std::string>& email);
// The proven address from now on; none waits any more.
void set_email(store::Transaction& tx, std::int64_t user_id, std::string_view email, Instant now);
// Ends the user's sessions but the one of that token's hash; returns how many.
std::int64_t end_other_sessions(store::Transaction& tx, std::int64_t user_id, std::string_view token_hash);
// Ends all sessions and application passwords of a user.
void end_secrets(store::Transaction& tx, std::int64_t user_id, Instant now);
std::vector<OwnCapability> own_capabilities(store::Session& session, std::int64_t user_id, Instant now);

// Sessions, by the hash of their token.
struct NewSession {
    std::string token_hash;
    std::int64_t user_id = 0, idle_seconds = 0;
    Instant idle_until, expires_at;
    std::string address, user_agent;
};
void insert_session(store::Transaction& tx, const NewSession& session, Instant now);
std::optional<Principal> live_session(store::Session& session, std::string_view token_hash, Instant now);
void touch_session(store::Transaction& tx, std::int64_t id, Instant now);
void delete_session(store::Transaction& tx, std::string_view token_hash);
// The user's active sessions, the latest used first, at most a hundred; `token_hash` marks the current one.
std::vector<OwnSession> list_sessions(store::Session& session, std::int64_t user_id, std::string_view token_hash,
                                      Instant now);
// False when the user has no such session.
bool end_session(store::Transaction& tx, std::int64_t user_id, std::int64_t id);
std::int64_t delete_dead_sessions(store::Transaction& tx, Instant now);

// Application passwords, by their keyed hash.
std::int64_t insert_password(store::Transaction& tx, std::int64_t user_id, std::string_view name,
                             std::string_view password_hash, Instant now);
std::int64_t live_passwords(store::Session& session, std::int64_t user_id);
std::vector<ApplicationPassword> list_passwords(store::Session& session, std::int64_t user_id);
std::optional<Principal> live_password(store::Session& session, std::string_view password_hash);
// For a user's own password, which has no row; its use is never recorded.
std::optional<Principal> live_user(store::Session& session, std::int64_t user_id);
void touch_password(store::Transaction& tx, std::int64_t id, std::string_view address, Instant now);
// Stores the hash by the current key.
void rehash_password(store::Transaction& tx, std::int64_t id, std::string_view password_hash);
// False when the user has no such live password.
bool revoke_password(store::Transaction& tx, std::int64_t user_id, std::int64_t id, Instant now);

}  // namespace svc::identity::repository
