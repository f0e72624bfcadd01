// Passwords and addresses that the holders of accounts change.
#include "base/people/identity/own_account.hpp"

#include <stdexcept>

#include "base/people/identity/hooks.hpp"
#include "base/people/identity/proven.hpp"
#include "base/people/identity/repository.hpp"
#include "base/people/identity/tokens.hpp"
#include "shared/core/email.hpp"
#include "shared/core/mailbox.hpp"

namespace svc::identity {
namespace {

using namespace std::chrono_literals;

constexpr limits::Limit wrong_own_passwords{10, 900s}, changes_of_network{20, 600s}, changes_to_address{1, 120s};
constexpr std::string_view changes_address = "email_change";
constexpr std::chrono::seconds change_lifetime = 24h;

std::string bound_to_both(std::string_view present, std::string_view waiting) {
    return folded(present) + "\n" + folded(waiting);
}

// `account` names the account to the owner of another mailbox.
json::Value account_to_tell(const User& user, std::string_view email, Instant now) {
    return json::Value::object(
        {{"name", user.display_name}, {"email", email}, {"sent_at", now}, {"account", masked_address(user.email)}});
}

// The hash of the session that the caller is signed in by; empty without one.
std::string session_hash_of(const api::Caller& caller) {
    const std::string prefix = session_key_of("");
    return caller.through == api::Caller::Through::cookie && caller.session_key.starts_with(prefix)
               ? caller.session_key.substr(prefix.size())
               : std::string();
}

}  // namespace

void declare_own_account(hooks::Hooks& hooks) {
    for (const auto* action : {&address_change_wanted, &address_change_due, &address_changed})
        hooks.declare(*action);
}

// Whether another account has the address is looked up after the answer, so that how long that takes reveals nothing.
void OwnAccount::listen() {
    const auto subscribed = parts_.hooks.on(
        address_change_wanted.name, {.name = "identity.email_change_wanted"}, [this](const json::Array& arguments) {
            const auto done = parts_.store.write([&](store::Transaction& tx) -> Result<void> {
                const std::int64_t id = arguments.at(0).integer();
                const std::string email = arguments.at(1).text_or("email");
                if (repository::pending_email(tx, id) == email && !repository::has_email(tx, folded(email)))
                    parts_.hooks.emit(tx, address_change_due, {id, arguments.at(1)});
                return {};
            });
            if (!done)
                throw std::runtime_error("the link could not be requested: " + done.error().cause());
        });
    if (!subscribed)
        throw std::logic_error("identity cannot listen: " + subscribed.error().cause());
}

Result<User> OwnAccount::with_password(std::int64_t user_id, const std::string& password) {
    const auto user = parts_.identity.accounts().find(user_id);
    if (!user)
        return errc::unauthorized;
    // Counted before the check, else parallel guesses would all pass; a correct one is refunded.
    const std::string account = std::to_string(user->id);
    const std::vector<limits::Use> uses{{"own_password", account, wrong_own_passwords}};
    SVC_RETURN_IF_ERROR(limits::answer_of(parts_.limits.take_strictly(uses), errc::too_many_attempts));
    if (!crypto::check_password(password, user->password_hash).matches)
        return invalid("current_password", "The password is incorrect."_sentence);
    static_cast<void>(parts_.store.write([&](store::Transaction& tx) -> Result<void> {
        limits::RateLimits::give_back(tx, uses);
        return {};
    }));
    return *user;
}

Result<void> OwnAccount::set_password(const api::Caller& caller, const std::string& current, const std::string& next) {
    if (const auto good = Accounts::check_password(next); !good)
        return invalid("new_password", good.error().message());
    SVC_ASSIGN_OR_RETURN(const auto user, with_password(caller, current));
    const std::string hash = crypto::hash_password(next);
    return parts_.store.write([&](store::Transaction& tx) -> Result<void> {
        if (!repository::set_password(tx, user.id, user.password_hash, hash, parts_.clock.now()))
            return errc::conflict;
        repository::end_other_sessions(tx, user.id, session_hash_of(caller));
        return {};
    });
}

Result<void> OwnAccount::may_mail(const std::string& email) {
    const auto verdict = parts_.limits.take_strictly({{"email_change_link", mailbox_key(email), changes_to_address}});
    auto allowed = limits::answer_of(verdict);
    if (!allowed)
        allowed.error().with("remaining_seconds", std::to_string(verdict.retry_after));
    return allowed;
}

Result<void> OwnAccount::request_address(const api::Caller& caller, const std::string& email,
                                         const std::string& current, const std::string& network) {
    if (!is_proven(caller))
        return errc::needs_verification;
    const auto address = email_address(email);
    if (!address)
        return invalid("email", "This is not a valid e-mail address."_sentence);
    if (folded(*address) == folded(caller.email))
        return invalid("email", "This is already your address."_sentence);
    if (auto allowed = limits::answer_of(
            parts_.limits.take_strictly({{"email_change_address", limits::network_of(network), changes_of_network}}));
        !allowed)
        return allowed;
    SVC_ASSIGN_OR_RETURN(const auto user, with_password(caller, current));
    SVC_RETURN_IF_ERROR(may_mail(*address));
    return parts_.store.write([&](store::Transaction& tx) -> Result<void> {
        repository::set_pending_email(tx, user.id, *address);
        parts_.hooks.emit(tx, address_change_wanted, {user.id, account_to_tell(user, *address, parts_.clock.now())});
        return {};
    });
}

void OwnAccount::keep_address(const api::Caller& caller) {
    static_cast<void>(parts_.store.write([&](store::Transaction& tx) -> Result<void> {
        repository::set_pending_email(tx, caller.user_id, std::nullopt);
        return {};
    }));
}

Result<std::string> OwnAccount::resend_link(const api::Caller& caller) {
    const auto user = parts_.identity.accounts().find(caller.user_id);
    const auto waiting = waiting_address(caller.user_id);
    if (!user || !waiting)
        return invalid("email", "There is no pending change of your address."_sentence);
    SVC_RETURN_IF_ERROR(may_mail(*waiting));
    return parts_.store.transact<std::string>([&](store::Transaction& tx) -> Result<std::string> {
        parts_.hooks.emit(tx, address_change_wanted, {user->id, account_to_tell(*user, *waiting, parts_.clock.now())});
        return *waiting;
    });
}

std::optional<std::string> OwnAccount::waiting_address(std::int64_t user_id) const {
    return parts_.store.reading<std::optional<std::string>>(
        [&](store::Session& session) { return repository::pending_email(session, user_id); });
}

std::optional<std::string> OwnAccount::waiting_address(store::Session& session, std::int64_t user_id) {
    return repository::pending_email(session, user_id);
}

std::string OwnAccount::token(std::int64_t user_id, const json::Value& account) const {
    const auto user = parts_.identity.accounts().find(user_id);
    const auto sent_at = Instant::parse(account.text_or("sent_at")).value_or(parts_.clock.now());
    return user ? AccountLink::issue(*parts_.keyring, changes_address, user_id,
                                     sent_at.seconds() + change_lifetime.count(),
                                     bound_to_both(user->email, account.text_or("email")))
                : std::string();
}

Result<OwnAccount::Change> OwnAccount::change_of(const std::string& token) const {
    const auto link = AccountLink::read(*parts_.keyring, changes_address, token);
    if (!link)
        return errc::invalid_token;
    return parts_.store.reading<Result<Change>>(
        [&](store::Session& session) -> Result<Change> { return confirmed_by(session, *link); });
}

Result<OwnAccount::Change> OwnAccount::confirmed_by(store::Session& session, const AccountLink& link) const {
    const auto user = repository::find_user(session, link.user_id);
    const auto waiting = repository::pending_email(session, link.user_id);
    if (!user || user->status == "blocked" || !waiting || !link.is_bound_to(bound_to_both(user->email, *waiting)))
        return errc::invalid_token;
    if (link.end <= parts_.clock.now().seconds())
        return errc::token_expired;
    return Change{user->id, masked_address(user->email), *waiting};
}

// The link proves the mailbox, so whoever follows it must prove to be the account's user as well: else somebody who has
// an account could join it to a mailbox, and its bookings, by one press of the mailbox's owner.
Result<void> OwnAccount::is_of_holder(const AccountLink& link, const LinkHolder& holder) {
    const bool is_signed_in = holder.caller.is_user() && holder.caller.through == api::Caller::Through::cookie &&
                              holder.caller.user_id == link.user_id;
    if (is_signed_in)
        return {};
    if (holder.password.empty())
        return invalid("current_password", "Sign in to this account in this browser, or enter its password."_sentence);
    const auto user = with_password(link.user_id, holder.password);
    return user ? Result<void>() : Result<void>(user.error());
}

Result<std::string> OwnAccount::prove(const LinkHolder& holder) {
    SVC_RETURN_IF_ERROR(tokens::may_try(parts_.limits, holder.network));
    const auto link = AccountLink::read(*parts_.keyring, changes_address, holder.token);
    if (!link) {
        const auto counted = tokens::wrong_guess(parts_.limits, holder.network);
        return counted ? Error{errc::invalid_token} : counted.error();
    }
    SVC_RETURN_IF_ERROR(change_of(holder.token));
    SVC_RETURN_IF_ERROR(is_of_holder(*link, holder));
    // What the present address has proven is the account's before the address goes.
    if (const auto user = parts_.identity.accounts().find(link->user_id); user && user->email_verified)
        parts_.identity.arrived(user->id, user->email);
    try {
        auto done = parts_.store.transact<std::string>([&](store::Transaction& tx) -> Result<std::string> {
            const Instant now = parts_.clock.now();
            SVC_ASSIGN_OR_RETURN(const auto change, confirmed_by(tx, *link));
            const auto user = repository::find_user(tx, link->user_id);
            if (repository::has_email(tx, folded(change.address)))
                return errc::email_exists;
            repository::set_email(tx, user->id, change.address, now);
            repository::end_other_sessions(
                tx, user->id, holder.caller.user_id == user->id ? session_hash_of(holder.caller) : std::string());
            json::Value account = account_to_tell(*user, user->email, now);
            account.set("new_email", change.address);
            parts_.hooks.emit(tx, address_changed, {user->id, std::move(account)});
            if (parts_.follow)
                parts_.follow(tx, user->id, change.address);
            return change.address;
        });
        if (done)
            parts_.identity.arrived(link->user_id, *done);
        return done;
    } catch (const store::UniqueViolation&) {  // another account took it at the same moment
        return errc::email_exists;
    }
}

}  // namespace svc::identity
