// What the holder of an account changes of it: the password, and the address, which a link mailed to the new one
// proves.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "base/identity/service.hpp"

namespace svc::identity {

void declare_own_account(hooks::Hooks& hooks);  // [start-up]

// Any thread.
class OwnAccount {
  public:
    struct Parts {
        store::Store& store;
        std::shared_ptr<const crypto::Keyring> keyring;
        hooks::Hooks& hooks;
        limits::RateLimits& limits;
        const Clock& clock;
        Service& identity;
        // What else goes with the account to its new address, in that transaction.
        std::function<void(store::Transaction&, std::int64_t user_id, const std::string& email)> moved;
    };
    explicit OwnAccount(Parts parts) : parts_(std::move(parts)) {}
    OwnAccount(const OwnAccount&) = delete;
    OwnAccount& operator=(const OwnAccount&) = delete;

    void listen();  // [start-up] to who wants another address, once its actions are declared

    // Other sessions end, the caller's stays, application passwords too. 400 naming `current_password` or
    // `new_password`; 429 too_many_attempts after ten wrong ones in a quarter of an hour.
    Result<void> set_password(const api::Caller& caller, const std::string& current, const std::string& next);

    // Nothing of the account changes before the link is used, and the answer does not say whether another account has
    // the address: then no link is mailed. needs_verification; 400 naming `current_password` or `email`; 429 within
    // 120 s and for a network that asks too often.
    Result<void> ask_for_address(const api::Caller& caller, const std::string& email, const std::string& current,
                                 const std::string& network);
    void keep_address(const api::Caller& caller);
    // The link once more: the waiting address. 400 when none waits.
    Result<std::string> ask_again(const api::Caller& caller);
    [[nodiscard]] std::optional<std::string> waiting_address(std::int64_t user_id) const;
    static std::optional<std::string> waiting_address(store::Session& session, std::int64_t user_id);
    // The account's address from now on. invalid_token, token_expired, email_exists, 429.
    Result<std::string> prove(const std::string& token, const std::string& network);

    [[nodiscard]] std::optional<User> account(std::int64_t user_id) const {
        return parts_.identity.accounts().find(user_id);
    }
    // The caller's account, if that is its password: 400 naming `current_password`, 429 too_many_attempts.
    Result<User> with_password(const api::Caller& caller, const std::string& password);

    // Made of what the action reports; empty for a user that is gone.
    [[nodiscard]] std::string token(std::int64_t user_id, const json::Value& account) const;

  private:
    Result<void> may_mail(const std::string& email);

    Parts parts_;
};

}  // namespace svc::identity
