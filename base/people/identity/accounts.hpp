// Users and their application passwords: making, listing and revoking them. Serves the routes and the command line.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/people/identity/user.hpp"
#include "base/platform/crypto/crypto.hpp"
#include "shared/store/store.hpp"

namespace svc::identity {

// Any thread.
class Accounts {
  public:
    Accounts(store::Store& store, std::shared_ptr<const crypto::Keyring> keyring, const Clock& clock);

    // Brings the rows of the system roles to this release. After the migrations, by any number of processes.
    void prepare();

    // Active, the address taken for verified: for operators. Errors name the field; email_exists for a used address.
    Result<std::int64_t> add_user(const std::string& login, const std::string& email, const std::string& role,
                                  const std::string& password);
    // A customer's account of checked values, its address not yet proven, the login made of the address. email_exists
    // for a used one. For Registration alone, which all customers' accounts are made by.
    struct Fresh {
        std::string email, display_name, password_hash, status;
    };
    static Result<std::int64_t> insert_customer(store::Transaction& tx, const Fresh& fresh, Instant now);
    // Whether it may be one; the error names `password`.
    static Result<void> check_password(const std::string& password);
    [[nodiscard]] bool has_users() const;
    [[nodiscard]] std::optional<User> find(std::string_view login_or_email) const;
    [[nodiscard]] std::optional<User> find(std::int64_t id) const;

    // svc_conflict when the user has fifty.
    Result<NewApplicationPassword> add_password(std::int64_t user_id, const std::string& name);
    // By login or e-mail address; svc_not_found for neither. Returns the password.
    Result<std::string> add_application_password(const std::string& login, const std::string& name);
    [[nodiscard]] std::vector<ApplicationPassword> passwords(std::int64_t user_id) const;
    // svc_not_found unless it is the user's own and live. It ends with the commit, in every process.
    Result<void> revoke_password(std::int64_t user_id, std::int64_t id);

    // The hash of a password that the database stores, ignoring spaces between its groups; empty for an impossible one.
    [[nodiscard]] static std::string password_hash(const crypto::Keyring& keyring, std::string_view password);

  private:
    store::Store& store_;
    std::shared_ptr<const crypto::Keyring> keyring_;
    const Clock& clock_;
};

}  // namespace svc::identity
