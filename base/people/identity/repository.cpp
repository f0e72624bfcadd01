// Rows of svc_roles, svc_users, svc_sessions and svc_application_passwords.
#include "base/people/identity/repository.hpp"

#include "shared/store/typed.hpp"

namespace svc::identity::repository {
namespace {

// `id` and `used` are of the credential. The columns are the members of Principal.
#define SVC_PRINCIPAL(id, used)                                                                                      \
    "SELECT " id                                                                                                     \
    ", u.id, u.login, u.login_lower, u.email, u.email_lower,"                                                        \
    " CASE WHEN u.email_verified_at IS NULL THEN 0 ELSE 1 END, CASE u.status WHEN 'active' THEN 1 ELSE 0 END,"       \
    " r.slug, r.capabilities, (SELECT COUNT(*) FROM svc_user_capabilities c WHERE c.user_id = u.id), COALESCE(" used \
    ", 0)"

std::optional<Principal> principal(store::Session& session, std::string_view sql, const store::Params& params) {
    using Text = std::string;
    using Number = std::int64_t;
    return store::first_struct<Principal, Number, Number, Text, Text, Text, Text, bool, bool, Text, Text, bool,
                               Instant>(session, sql, params);
}

// The columns are the members of User.
#define SVC_USER                                                                                 \
    "SELECT u.id, u.login, u.email, u.password_hash, u.display_name, r.slug, u.status,"          \
    " CASE WHEN u.email_verified_at IS NULL THEN 0 ELSE 1 END FROM svc_users u JOIN svc_roles r" \
    " ON r.id = u.role_id"

std::optional<User> user(store::Session& session, std::string_view sql, const store::Params& params) {
    using Text = std::string;
    return store::first_struct<User, std::int64_t, Text, Text, Text, Text, Text, Text, bool>(session, sql, params);
}

}  // namespace

std::vector<StoredRole> system_roles(store::Session& session) {
    return store::structs<StoredRole, std::string, std::string, std::string>(
        session, "SELECT slug, label, capabilities FROM svc_roles WHERE is_system = 1");
}

void put_system_role(store::Transaction& tx, std::string_view slug, std::string_view label,
                     std::string_view capabilities, Instant now) {
    tx.run(
        "INSERT INTO svc_roles (slug, label, capabilities, is_system, created_at, updated_at)"
        " VALUES (:slug, :label, :capabilities, 1, :now, :now) ON CONFLICT (slug) DO UPDATE SET"
        " label = excluded.label, capabilities = excluded.capabilities, is_system = 1,"
        " updated_at = excluded.updated_at",
        {{"slug", slug}, {"label", label}, {"capabilities", capabilities}, {"now", now}});
}

std::vector<std::string> role_slugs(store::Session& session) {
    return store::values<std::string>(session, "SELECT slug FROM svc_roles ORDER BY slug");
}

std::optional<std::int64_t> role_id(store::Session& session, std::string_view slug) {
    return store::value<std::int64_t>(session, "SELECT id FROM svc_roles WHERE slug = :slug", {{"slug", slug}});
}

std::optional<User> find_user(store::Session& session, std::string_view name) {
    // A login holds no @, so the name is one or the other.
    return user(session, SVC_USER " WHERE u.login_lower = :name OR u.email_lower = :name", {{"name", name}});
}

std::optional<User> find_user(store::Session& session, std::int64_t id) {
    return user(session, SVC_USER " WHERE u.id = :id", {{"id", id}});
}

void verification_sent(store::Transaction& tx, std::int64_t id, Instant now) {
    tx.run("UPDATE svc_users SET verification_sent_at = :now WHERE id = :id", {{"now", now}, {"id", id}});
}

void set_verified(store::Transaction& tx, std::int64_t id, Instant now) {
    tx.run(
        "UPDATE svc_users SET email_verified_at = :now, updated_at = :now,"
        " status = CASE WHEN status = 'pending_verification' THEN 'active' ELSE status END WHERE id = :id",
        {{"now", now}, {"id", id}});
}

bool has_users(store::Session& session) {
    return session.number("SELECT COUNT(*) FROM (SELECT id FROM svc_users LIMIT 1) AS one", {}) > 0;
}

bool has_email(store::Session& session, std::string_view email) {
    return session.number("SELECT COUNT(*) FROM svc_users WHERE email_lower = :email", {{"email", email}}) > 0;
}

bool has_login(store::Session& session, std::string_view login) {
    return session.number("SELECT COUNT(*) FROM svc_users WHERE login_lower = :login", {{"login", login}}) > 0;
}

std::int64_t insert_user(store::Transaction& tx, const User& user, std::int64_t role_id, Instant now) {
    return tx.insert(
        "INSERT INTO svc_users (login, login_lower, email, email_lower, password_hash, display_name, role_id, status,"
        " email_verified_at, created_at, updated_at) VALUES (:login, :login_lower, :email, :email_lower,"
        " :password_hash, :display_name, :role_id, :status, :verified_at, :now, :now) RETURNING id",
        {{"login", user.login},
         {"login_lower", folded(user.login)},
         {"email", user.email},
         {"email_lower", folded(user.email)},
         {"password_hash", user.password_hash},
         {"display_name", user.display_name},
         {"role_id", role_id},
         {"status", user.status},
         {"verified_at", user.email_verified ? std::optional(now) : std::nullopt},
         {"now", now}});
}

void signed_in(store::Transaction& tx, std::int64_t user_id, Instant now) {
    tx.run("UPDATE svc_users SET last_login_at = :now WHERE id = :id", {{"now", now}, {"id", user_id}});
}

void rehash(store::Transaction& tx, std::int64_t user_id, std::string_view before, std::string_view hash, Instant now) {
    tx.run("UPDATE svc_users SET password_hash = :hash, updated_at = :now WHERE id = :id AND password_hash = :before",
           {{"hash", hash}, {"now", now}, {"id", user_id}, {"before", before}});
}

bool set_password(store::Transaction& tx, std::int64_t user_id, std::string_view before, std::string_view hash,
                  Instant now) {
    return tx.run(
               "UPDATE svc_users SET password_hash = :hash, updated_at = :now WHERE id = :id AND password_hash ="
               " :before",
               {{"hash", hash}, {"now", now}, {"id", user_id}, {"before", before}}) > 0;
}

std::optional<std::string> pending_email(store::Session& session, std::int64_t user_id) {
    return session
        .first<std::optional<std::string>>("SELECT pending_email FROM svc_users WHERE id = :id", "t", {{"id", user_id}},
                                           [](const store::Row& row) { return row.maybe_text(0); })
        .value_or(std::nullopt);
}

void set_pending_email(store::Transaction& tx, std::int64_t user_id, const std::optional<std::string>& email) {
    tx.run("UPDATE svc_users SET pending_email = :email WHERE id = :id", {{"email", email}, {"id", user_id}});
}

void set_email(store::Transaction& tx, std::int64_t user_id, std::string_view email, Instant now) {
    tx.run(
        "UPDATE svc_users SET email = :email, email_lower = :email_lower, pending_email = NULL,"
        " email_verified_at = :now, updated_at = :now WHERE id = :id",
        {{"email", email}, {"email_lower", folded(email)}, {"now", now}, {"id", user_id}});
}

std::int64_t end_other_sessions(store::Transaction& tx, std::int64_t user_id, std::string_view token_hash) {
    return tx.run("DELETE FROM svc_sessions WHERE user_id = :user_id AND token_hash <> :kept",
                  {{"user_id", user_id}, {"kept", token_hash}});
}

void end_secrets(store::Transaction& tx, std::int64_t user_id, Instant now) {
    tx.run("DELETE FROM svc_sessions WHERE user_id = :user_id", {{"user_id", user_id}});
    tx.run("UPDATE svc_application_passwords SET revoked_at = :now WHERE user_id = :user_id AND revoked_at IS NULL",
           {{"user_id", user_id}, {"now", now}});
}

std::vector<OwnCapability> own_capabilities(store::Session& session, std::int64_t user_id, Instant now) {
    return store::structs<OwnCapability, std::string, bool>(
        session,
        "SELECT capability, CASE effect WHEN 'grant' THEN 1 ELSE 0 END FROM svc_user_capabilities"
        " WHERE user_id = :user_id AND (expires_at IS NULL OR expires_at > :now)",
        {{"user_id", user_id}, {"now", now}});
}

void insert_session(store::Transaction& tx, const NewSession& session, Instant now) {
    tx.run(
        "INSERT INTO svc_sessions (token_hash, user_id, idle_seconds, seen_at, idle_until, expires_at, address,"
        " user_agent, created_at) VALUES (:token_hash, :user_id, :idle_seconds, :now, :idle_until, :expires_at,"
        " :address, :user_agent, :now)",
        {{"token_hash", session.token_hash},
         {"user_id", session.user_id},
         {"idle_seconds", session.idle_seconds},
         {"now", now},
         {"idle_until", session.idle_until},
         {"expires_at", session.expires_at},
         {"address", session.address},
         {"user_agent", session.user_agent}});
}

std::optional<Principal> live_session(store::Session& session, std::string_view token_hash, Instant now) {
    return principal(session,
                     SVC_PRINCIPAL("s.id", "s.seen_at")
                     " FROM svc_sessions s JOIN svc_users u ON u.id = s.user_id JOIN svc_roles r ON r.id = u.role_id"
        " WHERE s.token_hash = :token_hash AND s.expires_at > :now AND s.idle_until > :now",
        {{"token_hash", token_hash}, {"now", now}});
}

void touch_session(store::Transaction& tx, std::int64_t id, Instant now) {
    tx.run("UPDATE svc_sessions SET seen_at = :now, idle_until = :now + idle_seconds * 1000000 WHERE id = :id",
           {{"now", now}, {"id", id}});
}

void delete_session(store::Transaction& tx, std::string_view token_hash) {
    tx.run("DELETE FROM svc_sessions WHERE token_hash = :token_hash", {{"token_hash", token_hash}});
}

std::vector<OwnSession> list_sessions(store::Session& session, std::int64_t user_id, std::string_view token_hash,
                                      Instant now) {
    return store::structs<OwnSession, std::int64_t, Instant, Instant, Instant, std::string, std::string, bool>(
        session,
        "SELECT id, created_at, seen_at, expires_at, address, user_agent,"
        " CASE WHEN token_hash = :token_hash THEN 1 ELSE 0 END FROM svc_sessions"
        " WHERE user_id = :user_id AND expires_at > :now AND idle_until > :now ORDER BY seen_at DESC, id DESC LIMIT "
        "100",
        {{"user_id", user_id}, {"token_hash", token_hash}, {"now", now}});
}

bool end_session(store::Transaction& tx, std::int64_t user_id, std::int64_t id) {
    return tx.run("DELETE FROM svc_sessions WHERE id = :id AND user_id = :user_id",
                  {{"id", id}, {"user_id", user_id}}) > 0;
}

std::int64_t delete_dead_sessions(store::Transaction& tx, Instant now) {
    return tx.run("DELETE FROM svc_sessions WHERE expires_at <= :now OR idle_until <= :now", {{"now", now}});
}

std::int64_t insert_password(store::Transaction& tx, std::int64_t user_id, std::string_view name,
                             std::string_view password_hash, Instant now) {
    return tx.insert(
        "INSERT INTO svc_application_passwords (user_id, name, password_hash, created_at)"
        " VALUES (:user_id, :name, :password_hash, :now) RETURNING id",
        {{"user_id", user_id}, {"name", name}, {"password_hash", password_hash}, {"now", now}});
}

std::int64_t live_passwords(store::Session& session, std::int64_t user_id) {
    return session.number(
        "SELECT COUNT(*) FROM svc_application_passwords WHERE user_id = :user_id AND revoked_at IS NULL",
        {{"user_id", user_id}});
}

std::vector<ApplicationPassword> list_passwords(store::Session& session, std::int64_t user_id) {
    return store::structs<ApplicationPassword, std::int64_t, std::string, Instant, std::optional<Instant>,
                          std::optional<std::string>>(
        session,
        "SELECT id, name, created_at, last_used_at, last_address FROM svc_application_passwords"
        " WHERE user_id = :user_id AND revoked_at IS NULL ORDER BY id",
        {{"user_id", user_id}});
}

std::optional<Principal> live_password(store::Session& session, std::string_view password_hash) {
    return principal(session,
                     SVC_PRINCIPAL("p.id", "p.last_used_at")
                     " FROM svc_application_passwords p JOIN svc_users u ON u.id = p.user_id JOIN svc_roles r ON r.id = u.role_id"
        " WHERE p.password_hash = :password_hash AND p.revoked_at IS NULL",
        {{"password_hash", password_hash}});
}

std::optional<Principal> live_user(store::Session& session, std::int64_t user_id) {
    return principal(
        session,
        SVC_PRINCIPAL("u.id",
                      "u.last_login_at") " FROM svc_users u JOIN svc_roles r ON r.id = u.role_id WHERE u.id = :user_id",
        {{"user_id", user_id}});
}

void touch_password(store::Transaction& tx, std::int64_t id, std::string_view address, Instant now) {
    tx.run("UPDATE svc_application_passwords SET last_used_at = :now, last_address = :address WHERE id = :id",
           {{"now", now}, {"address", address}, {"id", id}});
}

void rehash_password(store::Transaction& tx, std::int64_t id, std::string_view password_hash) {
    tx.run("UPDATE svc_application_passwords SET password_hash = :password_hash WHERE id = :id",
           {{"password_hash", password_hash}, {"id", id}});
}

bool revoke_password(store::Transaction& tx, std::int64_t user_id, std::int64_t id, Instant now) {
    return tx.run(
               "UPDATE svc_application_passwords SET revoked_at = :now"
               " WHERE id = :id AND user_id = :user_id AND revoked_at IS NULL",
               {{"now", now}, {"id", id}, {"user_id", user_id}}) > 0;
}

}  // namespace svc::identity::repository
