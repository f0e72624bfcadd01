// The owner's changes of an account: the password, and the address, verified by a link mailed to the new one.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/people/identity/account_link.hpp"
#include "base/people/identity/service.hpp"

namespace svc::identity {

void declare_own_account(hooks::Hooks& hooks);  // [start-up]

// Who follows the link of a change of address. The link proves the new mailbox alone.
struct LinkHolder {
    std::string token;
    api::Caller caller = {};    // signed in on this browser, by cookie
    std::string password = {};  // of the account; needed unless the caller is its user
    std::string network = {};   // the client's address
};

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
    // The change that a link confirms. invalid_token, token_expired.
    struct Change {
        std::int64_t user_id = 0;
        std::string account, address;  // the account's present address, masked; the new one
    };
    [[nodiscard]] Result<Change> change_of(const std::string& token) const;
    // The account's address from now on; its sessions end but for the holder's own. The holder must also be the
    // account's user: signed in as it, or with its password, else 400 naming `current_password`. invalid_token,
    // token_expired, email_exists, too_many_attempts, 429.
    Result<std::string> prove(const LinkHolder& holder);

    [[nodiscard]] std::optional<User> account(std::int64_t user_id) const {
        return parts_.identity.accounts().find(user_id);
    }
    // The caller's account, if that is its password: 400 naming `current_password`, 429 too_many_attempts.
    Result<User> with_password(const api::Caller& caller, const std::string& password) {
        return with_password(caller.user_id, password);
    }

    // Derived from the action's arguments; empty for a deleted user.
    [[nodiscard]] std::string token(std::int64_t user_id, const json::Value& account) const;

  private:
    Result<User> with_password(std::int64_t user_id, const std::string& password);
    [[nodiscard]] Result<Change> confirmed_by(store::Session& session, const AccountLink& link) const;
    Result<void> is_of_holder(const AccountLink& link, const LinkHolder& holder);
    Result<void> may_mail(const std::string& email);

    AddressParts parts_;
};

}  // namespace svc::identity
