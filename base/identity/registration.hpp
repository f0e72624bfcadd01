// Accounts that customers make themselves, and how their e-mail address is proven. Nobody learns from an answer
// whether an address has an account: what there is to tell goes to the address.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "base/identity/service.hpp"
#include "shared/api/route.hpp"

namespace svc::identity {

void declare_registration(settings::Settings& settings, hooks::Hooks& hooks);  // [start-up]

struct NewAccount {
    std::string first_name, last_name, email, phone, password, recaptcha_token;
    std::string address = {};  // the client's
};

// Any thread.
class Registration {
  public:
    struct Parts {
        store::Store& store;
        std::shared_ptr<const crypto::Keyring> keyring;
        settings::Settings& settings;
        hooks::Hooks& hooks;
        limits::RateLimits& limits;
        const Clock& clock;
        Service& identity;
        // What else an account brings, in the transaction that makes it or, without a password, proves its address.
        std::function<void(store::Transaction&, std::int64_t user_id, const NewAccount&)> made;
        std::function<Result<void>(const std::string& token, const std::string& address)> is_human;
    };
    explicit Registration(Parts parts);  // [start-up]: it listens to who wants a link; stays where it is
    Registration(const Registration&) = delete;
    Registration& operator=(const Registration&) = delete;

    // Answers the same for an address that has an account already; its owner is written to. 429, 403
    // registration_disabled, 400.
    Result<void> add(const NewAccount& wanted);
    // Sends the link once more where one is due; success for any address. 429 with remaining_seconds within 120 s.
    Result<void> resend(const std::string& email, const std::string& address);
    // invalid_token, token_expired. Whether the address was proven before.
    Result<bool> verify(std::string_view token, const std::string& address);

    // The link's token, made of what the action told; nothing of it is stored.
    [[nodiscard]] static std::string token(const crypto::Keyring& keyring, std::int64_t user_id, std::string_view email,
                                           Instant sent_at);

  private:
    void ask_for_proof(store::Transaction& tx, std::int64_t user_id, std::string_view name, std::string_view email,
                       Instant now);

    Parts parts_;
};

void add_registration_routes(api::RouteTable& routes, Registration& registration, settings::Settings& settings);

}  // namespace svc::identity
