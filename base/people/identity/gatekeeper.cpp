// Basic credentials, cookies with nonces, and the rights they carry.
#include "base/people/identity/gatekeeper.hpp"

#include <algorithm>

#include "base/people/identity/accounts.hpp"
#include "base/people/identity/capabilities.hpp"
#include "base/people/identity/repository.hpp"
#include "base/people/identity/service.hpp"
#include "shared/core/log.hpp"
#include "shared/core/text.hpp"
#include "shared/json/value.hpp"

namespace svc::identity {
namespace {

using namespace std::chrono_literals;

constexpr limits::Limit wrong_credentials{30, 60s};
constexpr std::chrono::microseconds record_every = 60s;
constexpr std::size_t longest_credentials = 1024;
constexpr std::size_t most_recorded = 10'000;

// The text after "Basic "; empty for another scheme.
std::optional<std::string_view> basic(std::string_view authorization) {
    const auto blank = authorization.find(' ');
    if (!limits::same_name(authorization.substr(0, blank), "Basic"))
        return std::nullopt;
    if (blank == std::string_view::npos)
        return std::string_view{};
    const auto from = authorization.find_first_not_of(' ', blank);
    return from == std::string_view::npos ? std::string_view{} : authorization.substr(from);
}

std::vector<std::string> stored_capabilities(const std::string& text, const std::vector<std::string>& besides) {
    std::vector<std::string> names;
    const auto list = json::parse(text);
    if (list && list->is_array())
        for (const auto& item : list->items())
            if (item.is_string())
                names.push_back(item.text());
    return expanded(std::move(names), besides);
}

}  // namespace

Gatekeeper::Gatekeeper(store::Store& store, std::shared_ptr<const crypto::Keyring> keyring, limits::RateLimits& limits,
                       const Clock& clock, GatekeeperOptions options)
    : store_(store), keyring_(std::move(keyring)), limits_(limits), clock_(clock), options_(std::move(options)) {}

Result<api::Caller> Gatekeeper::authenticate(const limits::Headers& headers, std::string_view peer) {
    std::optional<std::string_view> credentials;
    int authorizations = 0;
    for (const auto& [name, value] : headers)
        if (limits::same_name(name, "Authorization")) {
            ++authorizations;
            if (const auto found = basic(value))
                credentials = found;
        }
    if (credentials)
        // Two of them: which one counts would be a guess, and a proxy may guess otherwise.
        return by_password(authorizations == 1 ? *credentials : std::string_view{}, headers, peer);
    const auto* nonce = limits::header_of(headers, "X-Host-Nonce");
    if (!nonce || nonce->empty())
        return api::Caller{};
    const auto token = session_cookie(headers, options_.cookie_secure);
    return token ? by_cookie(*token, *nonce) : api::Caller{};
}

Error Gatekeeper::wrong(const std::string& address) {
    const auto verdict = limits_.take("wrong_credentials", limits::network_of(address), wrong_credentials);
    if (!verdict.allowed)
        return Error{errc::rate_limited}.after(verdict.retry_after);
    return {errc::unauthorized, "The user name or application password is incorrect."_sentence};
}

Result<api::Caller> Gatekeeper::by_password(std::string_view credentials, const limits::Headers& headers,
                                            std::string_view peer) {
    const std::string address = limits::client_address(peer, headers, options_.trusted_proxies);
    if (options_.cookie_secure && !limits::used_https(peer, headers, options_.trusted_proxies))
        return Error{errc::unauthorized, "Application passwords are only accepted over HTTPS."_sentence};
    if (credentials.empty() || credentials.size() > longest_credentials)
        return wrong(address);
    const auto decoded = crypto::from_base64(credentials);
    const auto colon = decoded ? decoded->find(':') : std::string::npos;
    if (colon == std::string::npos || !text::is_utf8(*decoded))
        return wrong(address);
    const std::string name = folded(decoded->substr(0, colon));
    const std::string_view password = std::string_view(*decoded).substr(colon + 1);
    const std::string hash = Accounts::password_hash(*keyring_, password);
    if (hash.empty())
        return by_account_password(name, password, address);

    std::optional<Principal> principal;
    bool is_of_old_key = false;
    api::Caller caller;
    store_.read([&](store::Session& session) {
        static_cast<void>(keyring_->any([&](const crypto::Keyring& one) {
            const std::string stored_hash = Accounts::password_hash(one, password);
            principal = repository::live_password(session, stored_hash);
            is_of_old_key = principal && stored_hash != hash;
            return principal.has_value();
        }));
        if (principal)
            caller = caller_of(session, *principal);
    });
    if (!principal)
        return by_account_password(name, password, address);
    // Credentials from before the verification of an address are invalid.
    if (!principal->is_active || !principal->email_verified ||
        (name != principal->login_lower && name != principal->email_lower))
        return wrong(address);
    caller.through = api::Caller::Through::application_password;
    caller.session_key = "password:" + std::to_string(principal->credential_id);
    record_use(caller.session_key, principal->used_at, [&](store::Transaction& tx, Instant now) {
        repository::touch_password(tx, principal->credential_id, address, now);
    });
    if (is_of_old_key)
        write_quietly([&](store::Transaction& tx) { repository::rehash_password(tx, principal->credential_id, hash); });
    return caller;
}

Result<api::Caller> Gatekeeper::by_account_password(const std::string& name, std::string_view password,
                                                    const std::string& address) {
    const auto user = account_passwords_ ? account_passwords_(name, std::string(password), address)
                                         : Result<std::optional<User>>(std::optional<User>());
    if (!user && &user.error().code() != &errc::unauthorized)
        return user.error();
    if (!user || !*user)
        return wrong(address);
    api::Caller caller;
    std::optional<Principal> principal;
    store_.read([&](store::Session& session) {
        principal = repository::live_user(session, (*user)->id);
        if (principal)
            caller = caller_of(session, *principal);
    });
    if (!principal || !principal->is_active)
        return wrong(address);
    caller.through = api::Caller::Through::application_password;
    caller.session_key = "account:" + std::to_string(principal->user_id);
    return caller;
}

Result<api::Caller> Gatekeeper::by_cookie(std::string_view token, std::string_view nonce) {
    const Instant now = clock_.now();
    const std::string token_hash = crypto::sha256_hex(token);
    std::optional<Principal> principal;
    api::Caller caller;
    store_.read([&](store::Session& session) {
        principal = repository::live_session(session, token_hash, now);
        if (principal)
            caller = caller_of(session, *principal);
    });
    if (!principal || !principal->is_active)
        return api::Caller{};
    caller.through = api::Caller::Through::cookie;
    caller.session_key = session_key_of(token_hash);
    if (!is_nonce(*keyring_, nonce, caller.session_key, caller.user_id, now))
        return errc::invalid_nonce;
    record_use(caller.session_key, principal->used_at, [&](store::Transaction& tx, Instant moment) {
        repository::touch_session(tx, principal->credential_id, moment);
    });
    return caller;
}

std::optional<Gatekeeper::SignedIn> Gatekeeper::signed_in(const limits::Headers& headers) {
    return of_session(session_cookie(headers, options_.cookie_secure));
}

std::optional<Gatekeeper::SignedIn> Gatekeeper::signed_in(std::string_view cookie_header) {
    return of_session(session_cookie(cookie_header, options_.cookie_secure));
}

std::optional<Gatekeeper::SignedIn> Gatekeeper::of_session(const std::optional<std::string>& token) {
    if (!token)
        return std::nullopt;
    const Instant now = clock_.now();
    const std::string token_hash = crypto::sha256_hex(*token);
    std::optional<Principal> principal;
    SignedIn found;
    store_.read([&](store::Session& session) {
        principal = repository::live_session(session, token_hash, now);
        if (principal)
            found.caller = caller_of(session, *principal);
    });
    if (!principal || !principal->is_active)
        return std::nullopt;
    found.caller.through = api::Caller::Through::cookie;
    found.caller.session_key = session_key_of(token_hash);
    found.nonce = make_nonce(*keyring_, found.caller.session_key, found.caller.user_id, now).text;
    return found;
}

std::optional<api::Caller> Gatekeeper::of_user(std::int64_t user_id, std::string session_key) {
    std::optional<Principal> principal;
    api::Caller caller;
    store_.read([&](store::Session& session) {
        principal = repository::live_user(session, user_id);
        if (principal)
            caller = caller_of(session, *principal);
    });
    if (!principal || !principal->is_active)
        return std::nullopt;
    caller.session_key = std::move(session_key);
    return caller;
}

bool Gatekeeper::is_nonce_of(const api::Caller& caller, std::string_view nonce) const {
    return is_nonce(*keyring_, nonce, caller.session_key, caller.user_id, clock_.now());
}

api::Caller Gatekeeper::caller_of(store::Session& session, const Principal& principal) const {
    api::Caller caller;
    caller.kind = api::Caller::Kind::user;
    caller.user_id = principal.user_id;
    caller.login = principal.login;
    if (principal.email_verified)
        caller.email = principal.email;
    if (const auto* of_system = capabilities_of(principal.role))
        caller.capabilities = *of_system;
    else
        caller.capabilities = stored_capabilities(principal.role_capabilities, besides_);
    if (principal.role == "administrator" && !besides_.empty()) {
        caller.capabilities.insert(caller.capabilities.end(), besides_.begin(), besides_.end());
        caller.capabilities = expanded(std::move(caller.capabilities), besides_);
    }
    if (!principal.has_own_capabilities)
        return caller;
    std::vector<std::string> revoked;
    for (auto& own : repository::own_capabilities(session, principal.user_id, clock_.now()))
        (own.granted ? caller.capabilities : revoked).push_back(std::move(own.capability));
    caller.capabilities = expanded(std::move(caller.capabilities), besides_);
    std::erase_if(caller.capabilities, [&](const std::string& name) {
        return std::find(revoked.begin(), revoked.end(), name) != revoked.end();
    });
    return caller;
}

template <class Touch>
void Gatekeeper::record_use(const std::string& key, Instant used_at, Touch touch) {
    const Instant now = clock_.now();
    if (used_at.plus(record_every) > now)
        return;
    {
        const std::lock_guard lock(mutex_);
        if (recorded_.size() >= most_recorded)
            recorded_.clear();
        auto& recorded = recorded_[key];
        if (recorded != 0 && recorded + record_every.count() > now.micros())
            return;
        recorded = now.micros();
    }
    write_quietly([&](store::Transaction& tx) { touch(tx, now); });
}

// Reads go on while nothing can be written; it is written with a later use.
template <class Write>
void Gatekeeper::write_quietly(Write write) {
    try {
        static_cast<void>(store_.write([&](store::Transaction& tx) -> Result<void> {
            write(tx);
            return {};
        }));
    } catch (const store::Failure& failure) {
        log::warning("use_not_recorded", {{"cause", log::redacted(failure.what())}});
    }
}

}  // namespace svc::identity
