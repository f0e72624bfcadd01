// The only component that creates customers' accounts, by registration and with a booking, under the same settings,
// limits and status. No response reveals whether an address has an account: the result is mailed to the address.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "base/identity/address_proof.hpp"
#include "shared/api/route.hpp"

namespace svc::identity {

void declare_registration(settings::Settings& settings, hooks::Hooks& hooks);  // [start-up]

struct NewAccount {
    std::string first_name, last_name, email, phone, password;
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

    // Called before preparing an account: whether registration is enabled, the limit of the client's network, and
    // reCAPTCHA unless `is_person` says that it was checked. 403 registration_disabled, 429, recaptcha_failed.
    Result<void> admit(const std::string& recaptcha_token, const std::string& address, bool is_person = false);
    // Makes the account when called in a transaction, or writes to the owner of an address that has one: the same
    // work and statements for both. Returns the account's id, 0 where the address had one; never for the caller to
    // see. Until its address is proven the account owns nothing. A transaction that ends in store::UniqueViolation,
    // as another made the account at the same moment, is to be run again.
    using Makes = std::function<Result<std::int64_t>(store::Transaction&)>;
    // 400 naming `email`, `first_name`, `last_name` or `password`; 403 registration_disabled.
    Result<Makes> prepare(const NewAccount& wanted);
    // The same for staff, whatever visitors may do: with a random password, so that the mailed link sets it.
    Result<Makes> invite(NewAccount wanted);
    // The same in its own transaction.
    Result<void> add(const NewAccount& wanted);

  private:
    [[nodiscard]] bool is_on() const;
    Result<Makes> prepared(const NewAccount& asked_for);

    Parts parts_;
};

void add_registration_routes(api::RouteTable& routes, Registration& registration, const settings::Settings& settings);

}  // namespace svc::identity
