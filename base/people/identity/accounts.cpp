// The rules of users and application passwords.
#include "base/people/identity/accounts.hpp"

#include <algorithm>

#include "base/people/identity/capabilities.hpp"
#include "base/people/identity/repository.hpp"
#include "shared/core/email.hpp"
#include "shared/core/text.hpp"
#include "shared/json/value.hpp"

namespace svc::identity {
namespace {

constexpr std::int64_t most_passwords = 50;
constexpr std::size_t least_password = 8, longest_password = 1024;

// No colon, which ends the name in Basic credentials, and no @, which distinguishes addresses.
Result<void> check_login(const std::string& login) {
    if (login.empty())
        return missing("login");
    if (login != text::clean(login) || login.find_first_of(":@ ") != std::string::npos)
        return invalid("login", "A login must not contain spaces, colons or @."_sentence);
    if (text::length(login) > 60)
        return invalid("login", "A login must have at most 60 characters."_sentence);
    return {};
}

std::string role_json(const SystemRole& role) {
    auto list = json::array_of(*capabilities_of(role.slug));
    return list.dump();
}

// All of them, the operator's own too, by their slugs.
std::string role_names(store::Session& session) {
    std::string names;
    for (const auto& slug : repository::role_slugs(session))
        names += (names.empty() ? "" : ", ") + slug;
    return names;
}

}  // namespace

Result<void> Accounts::check_password(const std::string& password) {
    if (text::length(password) < least_password)
        return invalid("password", "A password must have at least 8 characters."_sentence);
    if (password.size() > longest_password)
        return invalid("password", "A password must have at most 1024 characters."_sentence);
    return {};
}

Accounts::Accounts(store::Store& store, std::shared_ptr<const crypto::Keyring> keyring, const Clock& clock)
    : store_(store), keyring_(std::move(keyring)), clock_(clock) {}

void Accounts::prepare() {
    const auto stored = store_.reading<std::vector<repository::StoredRole>>(repository::system_roles);
    if (std::all_of(system_roles.begin(), system_roles.end(), [&](const SystemRole& role) {
            const repository::StoredRole expected{std::string(role.slug), std::string(role.label), role_json(role)};
            return std::find(stored.begin(), stored.end(), expected) != stored.end();
        }))
        return;
    static_cast<void>(store_.write([&](store::Transaction& tx) -> Result<void> {
        for (const SystemRole& role : system_roles)
            repository::put_system_role(tx, role.slug, role.label, role_json(role), clock_.now());
        return {};
    }));
}

Result<std::int64_t> Accounts::add_user(const std::string& login, const std::string& email, const std::string& role,
                                        const std::string& password) {
    SVC_RETURN_IF_ERROR(check_login(login));
    const auto address = email_address(email);
    if (!address)
        return invalid("email", "Enter a valid e-mail address."_sentence);
    SVC_RETURN_IF_ERROR(check_password(password));
    prepare();
    const User user{.login = login,
                    .email = *address,
                    .password_hash = crypto::hash_password(password),
                    .display_name = login,
                    .status = "active",
                    .email_verified = true};
    try {
        return store_.transact<std::int64_t>([&](store::Transaction& tx) -> Result<std::int64_t> {
            const auto role_id = repository::role_id(tx, role);
            if (!role_id)
                return invalid("role",
                               "There is no role \"{role}\". The roles are: {names}."_sentence.with("role", role)
                                   .with("names", role_names(tx)));
            if (repository::has_email(tx, folded(email)))
                return errc::email_exists;
            if (repository::has_login(tx, folded(login)))
                return Error{errc::conflict, "This login is already in use."_sentence};
            return repository::insert_user(tx, user, *role_id, clock_.now());
        });
    } catch (const store::UniqueViolation&) {  // taken between the check and the insert
        return Error{errc::conflict, "This login or e-mail address is already in use."_sentence};
    }
}

Result<std::int64_t> Accounts::insert_customer(store::Transaction& tx, const Fresh& fresh, Instant now) {
    const auto role_id = repository::role_id(tx, "svc_customer");
    if (!role_id)
        return errc::internal_error;
    if (repository::has_email(tx, folded(fresh.email)))
        return errc::email_exists;
    std::string base;
    for (const char c : fresh.email.substr(0, fresh.email.find('@')))
        if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '_')
            base += c;
    // Always with a number: one only for taken names would reveal that they are taken.
    const auto login = [name = base.empty() ? "customer" : base.substr(0, 40)] {
        return name + crypto::random_code(6, "0123456789");
    };
    User user{.login = login(),
              .email = fresh.email,
              .password_hash = fresh.password_hash,
              .display_name = fresh.display_name,
              .status = fresh.status};
    while (repository::has_login(tx, folded(user.login)))
        user.login = login();
    return repository::insert_user(tx, user, *role_id, now);
}

bool Accounts::has_users() const {
    return store_.reading<bool>([](store::Session& session) { return repository::has_users(session); });
}

std::optional<User> Accounts::find(std::string_view login_or_email) const {
    if (!text::is_utf8(login_or_email))
        return std::nullopt;
    const auto name = folded(login_or_email);
    return store_.reading<std::optional<User>>(
        [&](store::Session& session) { return repository::find_user(session, name); });
}

std::optional<User> Accounts::find(std::int64_t id) const {
    return store_.reading<std::optional<User>>(
        [&](store::Session& session) { return repository::find_user(session, id); });
}

Result<NewApplicationPassword> Accounts::add_password(std::int64_t user_id, const std::string& name) {
    const std::string label = text::clean(name);
    if (label.empty())
        return missing("name");
    if (text::length(label) > 100)
        return invalid("name", "A name must have at most 100 characters."_sentence);
    const std::string password = crypto::random_code(password_length, password_alphabet);
    const std::string hash = password_hash(*keyring_, password);
    return store_.transact<NewApplicationPassword>([&](store::Transaction& tx) -> Result<NewApplicationPassword> {
        if (repository::live_passwords(tx, user_id) >= most_passwords)
            return Error{errc::conflict, "You have fifty application passwords. Revoke one first."_sentence};
        const Instant now = clock_.now();
        NewApplicationPassword created{.name = label, .password = password, .created_at = now};
        created.id = repository::insert_password(tx, user_id, label, hash, now);
        return created;
    });
}

Result<std::string> Accounts::add_application_password(const std::string& login, const std::string& name) {
    const auto user = find(login);
    if (!user)
        return Error{errc::not_found, "This user does not exist."_sentence};
    SVC_ASSIGN_OR_RETURN(auto created, add_password(user->id, name));
    return created.password;
}

std::vector<ApplicationPassword> Accounts::passwords(std::int64_t user_id) const {
    return store_.reading<std::vector<ApplicationPassword>>(
        [&](store::Session& session) { return repository::list_passwords(session, user_id); });
}

Result<void> Accounts::revoke_password(std::int64_t user_id, std::int64_t id) {
    return store_.write([&](store::Transaction& tx) -> Result<void> {
        if (!repository::revoke_password(tx, user_id, id, clock_.now()))
            return errc::not_found;
        return {};
    });
}

std::string Accounts::password_hash(const crypto::Keyring& keyring, std::string_view password) {
    std::string plain;
    for (const char c : password) {
        if (c == ' ')
            continue;
        if (plain.size() >= password_length || password_alphabet.find(c) == std::string_view::npos)
            return {};
        plain += c;
    }
    return plain.size() == password_length ? crypto::hex(keyring.mac("application password", plain)) : std::string();
}

}  // namespace svc::identity
