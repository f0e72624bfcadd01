// One installation with users, for the tests of identity.
#pragma once

#include <doctest/doctest.h>

#include "base/people/identity/feature.hpp"
#include "base/people/identity/routes.hpp"
#include "base/settings/feature.hpp"
#include "tests/support/call_route.hpp"
#include "tests/support/recording_hooks.hpp"
#include "tests/support/test_site.hpp"

namespace svc::tests {

inline const std::string good_password = "correct horse battery";

class IdentitySite {
    TestSite base_;

  public:
    RecordingHooks hooks;

  private:
    Features features_;
    const Site site_ = with_hooks(base_.site, hooks, features_);
    settings::Feature general_{site_};
    identity::Feature identity_{site_};

  public:
    SetClock& clock = base_.clock;
    const std::unique_ptr<store::Store>& real = base_.real;
    FaultyStore& store = base_.store;  // counts, and fails where it is told to
    std::shared_ptr<const crypto::Keyring> keyring = base_.keyring;
    limits::RateLimits& limits = base_.limits;
    settings::SiteSettings& settings = base_.settings;
    identity::Service& service = identity_.service;
    identity::Gatekeeper& gatekeeper = identity_.gatekeeper;
    std::int64_t ada = 0;

    explicit IdentitySite(Database& database, bool secure = false)
        : base_(database.open_migrated(), "2027-01-15T08:00:00Z",
                {.address = "https://example.org/",
                 .root = "https://example.org/svc/v1",
                 .cookie_secure = secure,
                 .trusted_proxies = limits::AddressSet({"127.0.0.1"})}) {
        features_.connect();
        features_.declare();
        ada = service.accounts().add_user("ada", "ada@example.org", "administrator", good_password).value();
    }

    Result<api::Caller> with_basic(const std::string& user, const std::string& password) {
        return with_authorization("Basic " + crypto::base64(user + ":" + password));
    }
    Result<api::Caller> with_authorization(const std::string& value) {
        return gatekeeper.authenticate({{"Authorization", value}}, "203.0.113.9");
    }
    Result<api::Caller> with_cookie(const std::string& token, const std::string& nonce) {
        return gatekeeper.authenticate({{"Cookie", "theme=dark; svc_session=" + token}, {"X-Host-Nonce", nonce}},
                                       "203.0.113.9");
    }
    Result<identity::SignedIn> sign_in(const std::string& name, const std::string& password,
                                       const std::string& address = "203.0.113.9") {
        return service.sign_in({.username = name, .password = password, .address = address});
    }
    std::string password_of(std::int64_t user_id) {
        return service.accounts().add_password(user_id, "test").value().password;
    }
    void run(const char* sql) { execute(*real, {sql}); }
};

inline void each_site(const std::function<void(IdentitySite&)>& body) {
    each_database([&](Database& database) {
        CAPTURE(database.name());
        IdentitySite site(database);
        body(site);
    });
}

inline const ErrorCode* code_of(const Result<api::Caller>& result) { return result ? nullptr : &result.error().code(); }

}  // namespace svc::tests
