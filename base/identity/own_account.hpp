// The owner's changes of an account: the password, and the address, verified by a link mailed to the new one.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/identity/service.hpp"

namespace svc::identity {

void declare_own_account(hooks::Hooks& hooks);  // [start-up]

// Any thread.
class OwnAccount {
  public:
    explicit OwnAccount(AddressParts parts) : parts_(std::move(parts)) {}
    OwnAccount(const OwnAccount&) = delete;
    OwnAccount& operator=(const OwnAccount&) = delete;

    void listen();  // [start-up] subscribes to requests for a new address, once its actions are declared

    // Other sessions end, the caller's stays, application passwords too. 400 naming `current_password` or
    // `new_password`; 429 too_many_attempts after ten wrong ones in a quarter of an hour.
    Result<void> set_password(const api::Caller& caller, const std::string& current, const std::string& next);

    // Changes nothing before the link is used; the response does not reveal whether another account has the address,
    // which then gets no link. needs_verification; 400 naming `current_password` or `email`; 429 within 120 s and for a
    // network with too many requests.
    Result<void> request_address(const api::Caller& caller, const std::string& email, const std::string& current,
                                 const std::string& network);
    void keep_address(const api::Caller& caller);
    // The link again: the waiting address. 400 when none waits.
    Result<std::string> resend_link(const api::Caller& caller);
    [[nodiscard]] std::optional<std::string> waiting_address(std::int64_t user_id) const;
    static std::optional<std::string> waiting_address(store::Session& session, std::int64_t user_id);
    // The account's address from now on. invalid_token, token_expired, email_exists, 429.
    Result<std::string> prove(const std::string& token, const std::string& network);

    [[nodiscard]] std::optional<User> account(std::int64_t user_id) const {
        return parts_.identity.accounts().find(user_id);
    }
    // The caller's account, if that is its password: 400 naming `current_password`, 429 too_many_attempts.
    Result<User> with_password(const api::Caller& caller, const std::string& password);

    // Derived from the action's arguments; empty for a deleted user.
    [[nodiscard]] std::string token(std::int64_t user_id, const json::Value& account) const;

  private:
    Result<void> may_mail(const std::string& email);

    AddressParts parts_;
};

}  // namespace svc::identity
