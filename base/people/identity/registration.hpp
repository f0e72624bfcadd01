// The only component that creates customers' accounts, by registration and with a booking, under the same settings,
// limits and status. No response reveals whether an address has an account: the result is mailed to the address.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "base/people/identity/address_proof.hpp"
#include "shared/api/route.hpp"

namespace svc::identity {

void declare_registration(settings::Settings& settings, hooks::Hooks& hooks);  // [start-up]

struct NewAccount {
    std::string first_name, last_name, email, phone;
    std::string password;  // checked unless empty, and not stored: the mailed page sets the account's
};

// Any thread.
class Registration {
  public:
    struct Parts {
        store::Store& store;
        settings::Settings& settings;
        hooks::Hooks& hooks;
        limits::RateLimits& limits;
        const Clock& clock;
        Accounts& accounts;
        AddressProof& proof;
        // Further rows of a new account, in the transaction that creates it.
        std::function<void(store::Transaction&, const NewAccount&)> made;
        std::function<Result<void>(const std::string& token, const std::string& address)> is_human;
    };
    explicit Registration(Parts parts);
    Registration(const Registration&) = delete;
    Registration& operator=(const Registration&) = delete;

    // Called before preparing an account: checks whether registration is enabled, the limit of the client's network,
    // and reCAPTCHA unless `is_person` is true. 403 registration_disabled, 429, recaptcha_failed.
    Result<void> admit(const std::string& recaptcha_token, const std::string& address, bool is_person = false);
    // Creates the account when called in a transaction, or mails the owner of an address that has one, with the same
    // work and the same statements. Returns the account's id, 0 if the address had one; callers must not reveal it.
    // The account owns nothing before its address is proven. Repeat a transaction that ends in store::UniqueViolation:
    // another one created the account at the same moment.
    using CreateAccount = std::function<Result<std::int64_t>(store::Transaction&)>;
    // 400 naming `email`, `first_name`, `last_name` or `password`; 403 registration_disabled.
    Result<CreateAccount> prepare(const NewAccount& account);
    // The same for staff, whatever visitors may do.
    Result<CreateAccount> invite(NewAccount account);
    // The same in its own transaction.
    Result<void> add(const NewAccount& account);

  private:
    [[nodiscard]] bool is_on() const;
    Result<CreateAccount> build(const NewAccount& requested);

    Parts parts_;
};

void add_registration_routes(api::RouteTable& routes, Registration& registration);

}  // namespace svc::identity
