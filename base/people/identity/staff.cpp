// The rules of managing users, and their SQL.
#include "base/people/identity/staff.hpp"

#include "base/people/identity/repository.hpp"
#include "base/people/identity/tokens.hpp"
#include "shared/store/read_rows.hpp"

namespace svc::identity::staff {
namespace {

constexpr const char* customer_role = "svc_customer";

Result<User> user_of(store::Session& session, const std::string& login) {
    auto user = repository::find_user(session, folded(login));
    if (!user)
        return Error{errc::not_found,
                     "There is no user {login}; svc user list names them."_sentence.with("login", login)};
    return std::move(*user);
}

// Owners have an administrator's rights.
bool administers(const std::string& role) { return role == "administrator" || role == "owner"; }

// Two who leave at the same moment would each count on the other: the second one waits here and then counts again.
// SQLite has one writer anyway.
void lock_administrators(store::Transaction& tx) {
    if (tx.dialect() == store::Dialect::postgresql)
        store::numbers(tx, "SELECT id FROM svc_roles WHERE slug IN ('administrator', 'owner') ORDER BY id FOR UPDATE",
                       {});
}

// Whether somebody else could still administer the installation. After lock_administrators.
bool is_last_administrator(store::Session& session, const User& user) {
    return administers(user.role) && user.status == "active" &&
           session.number(
               "SELECT COUNT(*) FROM svc_users u JOIN svc_roles r ON r.id = u.role_id WHERE u.status = 'active' AND"
               " u.id <> :id AND r.slug IN ('administrator', 'owner')",
               {{"id", user.id}}) == 0;
}

Error last_administrator(const User& user) {
    return {errc::conflict,
            "{login} is the last administrator. Add another one first: svc user add --role administrator"_sentence.with(
                "login", user.login)};
}

void end_all(store::Transaction& tx, const User& user, Instant now) {
    repository::end_secrets(tx, user.id, now);
    tokens::revoke_all(tx, "user", user.id, now);
}

void set_status(store::Transaction& tx, const User& user, const char* status, Instant now) {
    tx.run("UPDATE svc_users SET status = :status, updated_at = :now WHERE id = :id",
           {{"status", status}, {"now", now}, {"id", user.id}});
}

}  // namespace

std::vector<Listed> list(store::Session& session, bool with_customers) {
    std::vector<Listed> all;
    store::each_row(
        session,
        "SELECT u.login, u.email, r.slug, u.status, u.last_login_at FROM svc_users u JOIN svc_roles r ON"
        " r.id = u.role_id WHERE r.slug <> :left_out ORDER BY u.login_lower",
        {{"left_out", with_customers ? "" : customer_role}},
        [&](const std::string& login, const std::string& email, const std::string& role, const std::string& status,
            std::optional<Instant> last) {
            all.push_back({.login = login, .email = email, .role = role, .status = status, .last_login_at = last});
        });
    return all;
}

bool is_staff(store::Session& session, std::int64_t user_id) {
    return session.number(
               "SELECT COUNT(*) FROM svc_users u JOIN svc_roles r ON r.id = u.role_id WHERE u.id = :id AND r.slug <>"
               " :customer",
               {{"id", user_id}, {"customer", customer_role}}) > 0;
}

Result<void> set_role(store::Transaction& tx, const std::string& login, const std::string& role, Instant now) {
    lock_administrators(tx);
    SVC_ASSIGN_OR_RETURN(const User user, user_of(tx, login));
    const auto role_id = repository::role_id(tx, role);
    if (!role_id) {
        std::string names;
        for (const std::string& slug : repository::role_slugs(tx))
            names += (names.empty() ? "" : ", ") + slug;
        return invalid(
            "role",
            "There is no role \"{role}\". The roles are: {names}."_sentence.with("role", role).with("names", names));
    }
    if (!administers(role) && is_last_administrator(tx, user))
        return last_administrator(user);
    tx.run("UPDATE svc_users SET role_id = :role, updated_at = :now WHERE id = :id",
           {{"role", *role_id}, {"now", now}, {"id", user.id}});
    return {};
}

Result<void> disable(store::Transaction& tx, const std::string& login, Instant now) {
    lock_administrators(tx);
    SVC_ASSIGN_OR_RETURN(const User user, user_of(tx, login));
    if (is_last_administrator(tx, user))
        return last_administrator(user);
    set_status(tx, user, "blocked", now);
    end_all(tx, user, now);
    return {};
}

Result<void> enable(store::Transaction& tx, const std::string& login, Instant now) {
    SVC_ASSIGN_OR_RETURN(const User user, user_of(tx, login));
    if (user.status != "blocked")
        return Error{errc::conflict, "{login} is not disabled."_sentence.with("login", user.login)};
    set_status(tx, user, "active", now);
    return {};
}

Result<void> set_password(store::Transaction& tx, const std::string& login, const std::string& hash, Instant now) {
    SVC_ASSIGN_OR_RETURN(const User user, user_of(tx, login));
    if (!repository::set_password(tx, user.id, user.password_hash, hash, now))
        return Error{errc::conflict, "The password was changed at the same moment. Run the command again."_sentence};
    end_all(tx, user, now);
    return {};
}

}  // namespace svc::identity::staff
