// The rules of signing in.
#include "base/people/identity/service.hpp"

#include <algorithm>

#include "base/people/identity/hooks.hpp"
#include "base/people/identity/repository.hpp"
#include "base/people/identity/tokens.hpp"
#include "shared/api/schema.hpp"
#include "shared/core/log.hpp"
#include "shared/core/text.hpp"
#include "shared/core/uri.hpp"

namespace svc::identity {
namespace {

using namespace std::chrono_literals;

constexpr limits::Limit failures_of_pair{10, 900s};
constexpr limits::Limit failures_of_address{20, 60s};
// Five a minute, in bursts: beyond it an account counts as guessed at by many networks together.
constexpr limits::Limit failures_at_account{20, 240s};
constexpr limits::Limit failures_under_attack{3, 900s};
constexpr std::chrono::seconds remembered_for = 60s;
constexpr std::size_t most_remembered = 10'000;

constexpr auto longest_session = 12h, longest_remembered = 14 * 24h;
constexpr std::string_view session_prefix = "session:", customer_role = "svc_customer";

// A listener's number; ignores one outside of 1 to `most`.
int filtered_limit(const hooks::Hooks& hooks, const hooks::Filter& filter, std::int64_t ours, std::int64_t most) {
    const auto answer = api::integer(1, most).check(hooks.apply(filter, ours, {}), "answer");
    return static_cast<int>(answer ? answer->integer() : ours);
}

}  // namespace

std::string session_key_of(std::string_view token_hash) {
    return std::string(session_prefix) + std::string(token_hash);
}

Service::Service(store::Store& store, std::shared_ptr<const crypto::Keyring> keyring, settings::Settings& settings,
                 hooks::Hooks& hooks, limits::RateLimits& limits, const Clock& clock, ServiceOptions options)
    : store_(store),
      keyring_(keyring),
      settings_(settings),
      hooks_(hooks),
      limits_(limits),
      clock_(clock),
      options_(std::move(options)),
      accounts_(store, std::move(keyring), clock) {}

Result<void> Service::check(const std::string& name, const std::string& password, const std::string& address,
                            Checked& checked) {
    const auto user = accounts_.find(name);
    // By the name that was given: one count for login and address of an account would reveal that they are one's.
    checked.account = "name " + folded(name);
    checked.network = limits::network_of(address);
    checked.pair = checked.network + "\n" + checked.account;
    const limits::Limit of_pair{
        filtered_limit(hooks_, login_attempts, failures_of_pair.burst, 1000),
        std::chrono::seconds(filtered_limit(hooks_, login_window, failures_of_pair.per.count(), 86'400))};
    const limits::Use pair{"sign_in", checked.pair, of_pair},
        network{"sign_in_address", checked.network, failures_of_address};
    checked.uses = {pair, network, {"sign_in_account", checked.account, failures_at_account}};
    // Counted before the password is checked, else parallel guesses would all pass; a correct one is refunded. An
    // account under attack from many networks leaves each of them few attempts, but never none.
    if (!limits_.take_strictly(checked.uses).allowed) {
        const limits::Limit wary{std::min(of_pair.burst, failures_under_attack.burst), failures_under_attack.per};
        checked.uses = {pair, network, {"sign_in_wary", checked.pair, wary}};
        SVC_RETURN_IF_ERROR(limits::answer_of(limits_.take_strictly(checked.uses), errc::too_many_attempts));
    }
    crypto::PasswordCheck match;
    if (user)
        match = crypto::check_password(password, user->password_hash);
    else
        crypto::waste_password_check(password);
    if (!match.matches || user->status == "blocked")
        return errc::invalid_credentials;
    if (user->status != "active")
        return errc::needs_verification;
    if (!hooks_.apply(user_allowed_to_login, true, {user->id}).boolean())
        return errc::forbidden;
    checked.user = *user;
    checked.needs_rehash = match.needs_rehash;
    return {};
}

Result<SignedIn> Service::sign_in(const SignIn& attempt) {
    Checked checked;
    SVC_RETURN_IF_ERROR(check(attempt.username, attempt.password, attempt.address, checked));
    return begin_session(checked.user, attempt, checked.uses,
                         checked.needs_rehash ? std::optional(crypto::hash_password(attempt.password)) : std::nullopt);
}

Result<SignedIn> Service::sign_in_by_link(const User& user, const SignIn& attempt) {
    if (user.status != "active" || !hooks_.apply(user_allowed_to_login, true, {user.id}).boolean())
        return errc::forbidden;
    return begin_session(user, attempt, {}, std::nullopt);
}

Result<std::optional<User>> Service::by_account_password(const std::string& name, const std::string& password,
                                                         const std::string& address) {
    if (!hooks_.filtered(basic_password_allowed.name))
        return std::optional<User>();
    auto user = accounts_.find(name);
    if (!hooks_.apply(basic_password_allowed, false, {user ? user->id : 0}).boolean())
        return std::optional<User>();
    const Instant now = clock_.now();
    // Includes the stored hash, so that a new password invalidates the cache.
    const std::string key =
        user ? crypto::hex(keyring_->mac("basic_password",
                                         std::to_string(user->id) + "\n" + user->password_hash + "\n" + password))
             : std::string();
    if (user && user->status == "active") {
        const std::lock_guard lock(mutex_);
        if (const auto known = right_.find(key); known != right_.end() && known->second > now)
            return user;
    }
    Checked checked;
    if (auto good = check(name, password, address, checked); !good)
        return &good.error().code() == &errc::invalid_credentials ? Error{errc::unauthorized} : good.error();
    static_cast<void>(store_.write([&](store::Transaction& tx) -> Result<void> {
        limits::RateLimits::give_back(tx, checked.uses);
        return {};
    }));
    const std::lock_guard lock(mutex_);
    if (right_.size() >= most_remembered)
        right_.clear();
    right_[key] = now.plus(remembered_for);
    return std::optional<User>(std::move(checked.user));
}

Result<SignedIn> Service::begin_session(const User& user, const SignIn& attempt, const std::vector<limits::Use>& uses,
                                        const std::optional<std::string>& new_hash) {
    const Instant now = clock_.now();
    // Staff's sessions end after twelve hours whatever they ask for.
    const bool remember = attempt.remember && user.role == customer_role;
    const std::chrono::seconds idle = remember ? std::chrono::seconds(longest_remembered)
                                               : std::chrono::seconds(settings_.integer("session_timeout"));
    SignedIn answer{.user_id = user.id, .token = crypto::random_token()};
    const std::string token_hash = crypto::sha256_hex(answer.token);
    const repository::NewSession session{
        .token_hash = token_hash,
        .user_id = user.id,
        .idle_seconds = idle.count(),
        .idle_until = now.plus(idle),
        .expires_at = now.plus(remember ? std::chrono::seconds(longest_remembered) : longest_session),
        .address = attempt.address,
        .user_agent = std::string(text::first(text::clean(attempt.user_agent), 300))};
    const auto stored = store_.write([&](store::Transaction& tx) -> Result<void> {
        // Never continues the client's current session: an attacker who planted its cookie gains nothing.
        if (attempt.present_token)
            repository::delete_session(tx, crypto::sha256_hex(*attempt.present_token));
        repository::insert_session(tx, session, now);
        repository::signed_in(tx, user.id, now);
        if (new_hash)
            repository::rehash(tx, user.id, user.password_hash, *new_hash, now);
        limits::RateLimits::give_back(tx, uses);
        return {};
    });
    if (!stored)
        return stored.error();
    if (user.email_verified)
        arrived(user.id, user.email);
    if (remember)
        answer.cookie_max_age = std::chrono::seconds(longest_remembered).count();
    answer.nonce = make_nonce(*keyring_, session_key_of(token_hash), user.id, now);
    answer.redirect_url = hooks_.apply(login_redirect_url, options_.site_url, {user.id}).text();
    if (!text::is_place(answer.redirect_url)) {
        log::warning("filter_ignored", {{"filter", login_redirect_url.name}, {"why", "no address to go to"}});
        answer.redirect_url = options_.site_url;
    }
    return answer;
}

void Service::sign_out(const api::Caller& caller) {
    if (caller.through != api::Caller::Through::cookie || !caller.session_key.starts_with(session_prefix))
        return;
    const auto token_hash = caller.session_key.substr(session_prefix.size());
    static_cast<void>(store_.write([&](store::Transaction& tx) -> Result<void> {
        repository::delete_session(tx, token_hash);
        return {};
    }));
}

Result<Nonce> Service::nonce(const api::Caller& caller) const {
    if (caller.through != api::Caller::Through::cookie)
        return Error{errc::bad_request, "A nonce requires a session cookie. Sign in first."_sentence};
    return make_nonce(*keyring_, caller.session_key, caller.user_id, clock_.now());
}

std::int64_t Service::clean_up() {
    std::int64_t deleted = 0;
    const auto done = store_.write([&](store::Transaction& tx) -> Result<void> {
        deleted = repository::delete_dead_sessions(tx, clock_.now()) + tokens::clean_up(tx, clock_.now());
        return {};
    });
    return done ? deleted : 0;
}

}  // namespace svc::identity
