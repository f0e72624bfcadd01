// Signing in and out by login and password.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>

#include "base/people/identity/accounts.hpp"
#include "base/people/identity/session_cookie.hpp"
#include "base/platform/limits/rate_limits.hpp"
#include "base/settings/values/settings.hpp"
#include "shared/api/permission.hpp"
#include "shared/hooks/hooks.hpp"

namespace svc::identity {

struct SignIn {
    std::string username;  // login or e-mail address
    std::string password;
    bool remember = false;
    std::string address = {}, user_agent = {};
    std::optional<std::string> present_token = {};  // of the session the client has now; it ends
};

struct SignedIn {
    std::int64_t user_id = 0;
    std::string token = {};  // for the cookie
    std::optional<std::int64_t> cookie_max_age = {};
    Nonce nonce = {};
    std::string redirect_url = {};
};

struct ServiceOptions {
    bool cookie_secure = false;
    std::string site_url;
};

// Any thread.
class Service {
  public:
    Service(store::Store& store, std::shared_ptr<const crypto::Keyring> keyring, settings::Settings& settings,
            hooks::Hooks& hooks, limits::RateLimits& limits, const Clock& clock, ServiceOptions options);

    // invalid_credentials alike for an unknown user, a wrong password and a blocked user, after the same work;
    // needs_verification only once the password has matched; 429 too_many_attempts after 10 failures of a network at
    // an account in 15 minutes and 20 of a network in a minute. Failures elsewhere never lock the owner out: after 20
    // at an account in 4 minutes each network has 3 in 15 minutes instead of 10.
    Result<SignedIn> sign_in(const SignIn& attempt);
    // A session of a user who has proven by a mailed link who they are; `attempt` has no password. forbidden.
    Result<SignedIn> sign_in_by_link(const User& user, const SignIn& attempt);
    // The user of Basic credentials made of an account's own password, where svc_basic_password_allowed takes them;
    // nothing where it does not. Limits and errors as of sign_in, unauthorized for wrong ones.
    Result<std::optional<User>> by_account_password(const std::string& name, const std::string& password,
                                                    const std::string& address);
    // Ends the caller's session in every process; nothing for a caller without one.
    void sign_out(const api::Caller& caller);
    // invalid_request for a caller without a session.
    [[nodiscard]] Result<Nonce> nonce(const api::Caller& caller) const;

    // Deletes dead sessions and long ended tokens; returns how many rows. For the daily clean-up.
    std::int64_t clean_up();

    // Called after each sign-in with a verified address, and when an address is proven. [start-up]
    using Arrived = std::function<void(std::int64_t user_id, const std::string& verified_email)>;
    void when_signed_in(Arrived arrived) { arrived_.push_back(std::move(arrived)); }

    void arrived(std::int64_t user_id, const std::string& verified_email) const {
        for (const Arrived& each : arrived_)
            each(user_id, verified_email);
    }

    [[nodiscard]] Accounts& accounts() { return accounts_; }
    [[nodiscard]] const ServiceOptions& options() const { return options_; }

  private:
    struct Checked {
        User user;
        std::vector<limits::Use> uses;  // to be refunded
        std::string pair, network, account;
        bool needs_rehash = false;
    };
    // Fills `checked`, which holds the strings of the uses.
    Result<void> check(const std::string& name, const std::string& password, const std::string& address,
                       Checked& checked);
    Result<SignedIn> begin_session(const User& user, const SignIn& attempt, const std::vector<limits::Use>& uses,
                                   const std::optional<std::string>& new_hash);

    store::Store& store_;
    std::shared_ptr<const crypto::Keyring> keyring_;
    settings::Settings& settings_;
    hooks::Hooks& hooks_;
    limits::RateLimits& limits_;
    const Clock& clock_;
    ServiceOptions options_;
    Accounts accounts_;
    std::vector<Arrived> arrived_;

    // Basic credentials found right of late, so that not each request costs a password hash.
    std::mutex mutex_;
    std::unordered_map<std::string, Instant> right_;
};

// For services that change an account by links mailed to its address.
struct AddressParts {
    store::Store& store;
    std::shared_ptr<const crypto::Keyring> keyring;
    hooks::Hooks& hooks;
    limits::RateLimits& limits;
    const Clock& clock;
    Service& identity;
    // Further changes in the transaction that proves or moves the account's address; may be empty.
    std::function<void(store::Transaction&, std::int64_t user_id, const std::string& email)> follow;
};

// The value of api::Caller::session_key for a cookie session.
std::string session_key_of(std::string_view token_hash);

}  // namespace svc::identity
