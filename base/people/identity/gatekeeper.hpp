// Authenticates the caller from a request's headers.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>

#include "base/people/identity/user.hpp"
#include "base/platform/crypto/crypto.hpp"
#include "base/platform/limits/client_address.hpp"
#include "base/platform/limits/rate_limits.hpp"
#include "shared/api/permission.hpp"
#include "shared/store/store.hpp"

namespace svc::identity {

struct GatekeeperOptions {
    // Cookies are Secure, and application passwords are accepted only over TLS, as reported by a trusted proxy.
    bool cookie_secure = false;
    limits::AddressSet trusted_proxies;
};

// Any thread.
class Gatekeeper {
  public:
    Gatekeeper(store::Store& store, std::shared_ptr<const crypto::Keyring> keyring, limits::RateLimits& limits,
               const Clock& clock, GatekeeperOptions options);

    // `peer` is the socket's other end, not the client's address. One indexed read for a caller who sends
    // credentials, none for another; a use is recorded at most once a minute.
    // - Basic credentials are an application password of an account whose address is proven, or an account's own
    //   password where take_account_passwords() allows it, or 401 svc_unauthorized, on public routes too; more than
    //   30 wrong ones of an address in a minute are 429. Other schemes are not ours and not looked at.
    // - A session's cookie counts with its X-Host-Nonce alone: without one, and when the session has ended, the
    //   caller is anonymous; with a wrong one it is 403 svc_invalid_nonce.
    // Throws store::Unavailable.
    Result<api::Caller> authenticate(const limits::Headers& headers, std::string_view peer);

    // The user whom the session's cookie alone identifies, and a fresh nonce: for pages, which no other site can read.
    // Such a page's requests must carry a nonce of that session. Empty without a live session.
    struct SignedIn {
        api::Caller caller;
        std::string nonce;
    };
    std::optional<SignedIn> signed_in(const limits::Headers& headers);
    std::optional<SignedIn> signed_in(std::string_view cookie_header);
    [[nodiscard]] bool is_nonce_of(const api::Caller& caller, std::string_view nonce) const;

    // The active user of that id, with the rights of now, for a call that the process makes in their name: through
    // nothing, as session `session_key`. Empty: there is none.
    std::optional<api::Caller> of_user(std::int64_t user_id, std::string session_key);

    // Capabilities of a plugin's own: administrators hold them, and others where they were given them. [start-up]
    void know_besides(std::vector<std::string> capabilities) { besides_ = std::move(capabilities); }

    // The user whose account has that name and password; nothing while such credentials are not taken at all (spec 5).
    using AccountPasswords = std::function<Result<std::optional<User>>(
        const std::string& name, const std::string& password, const std::string& address)>;
    void take_account_passwords(AccountPasswords check) { account_passwords_ = std::move(check); }  // [start-up]

    [[nodiscard]] const GatekeeperOptions& options() const { return options_; }

  private:
    Result<api::Caller> by_password(std::string_view credentials, const limits::Headers& headers,
                                    std::string_view peer);
    Result<api::Caller> by_account_password(const std::string& name, std::string_view password,
                                            const std::string& address);
    Result<api::Caller> by_cookie(std::string_view token, std::string_view nonce);
    std::optional<SignedIn> of_session(const std::optional<std::string>& token);
    Error wrong(const std::string& address);
    [[nodiscard]] api::Caller caller_of(store::Session& session, const Principal& principal) const;
    template <class Touch>
    void record_use(const std::string& key, Instant used_at, Touch touch);
    template <class Write>
    void write_quietly(Write write);

    store::Store& store_;
    std::shared_ptr<const crypto::Keyring> keyring_;
    limits::RateLimits& limits_;
    const Clock& clock_;
    GatekeeperOptions options_;
    std::vector<std::string> besides_;
    AccountPasswords account_passwords_;

    // Credentials whose use this process has recorded of late, so that many requests at once make one write.
    std::mutex mutex_;
    std::unordered_map<std::string, std::int64_t> recorded_;
};

}  // namespace svc::identity
