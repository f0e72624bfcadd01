// Mailed links of accounts: asking for them and using them.
#include "base/people/identity/address_proof.hpp"

#include <stdexcept>

#include "base/people/identity/account_link.hpp"
#include "base/people/identity/hooks.hpp"
#include "base/people/identity/repository.hpp"
#include "base/people/identity/tokens.hpp"
#include "shared/core/mailbox.hpp"

namespace svc::identity {
namespace {

using namespace std::chrono_literals;

constexpr limits::Limit links_of_network{20, 600s};
constexpr limits::Limit links_to_address{1, 120s};
constexpr std::string_view links_bucket = "verification_link", resets_bucket = "password_reset_link";
constexpr std::string_view proves = "email_verify", resets = "password_reset";
constexpr std::chrono::seconds proof_lifetime = 24h, reset_lifetime = 1h;

const hooks::Action link_wanted{
    "svc_account_link_wanted",
    "The confirmation link was requested again for an address, whether it has an account or not:"
    " svc_account_verification_due follows where the link is due.",
    {"email"}};
const hooks::Action reset_wanted{"svc_account_password_reset_wanted",
                                 "A new password was requested for an address, whether it has an account or not:"
                                 " svc_account_password_reset_due follows where it has one.",
                                 {"email"}};

json::Value account_with_time(std::string_view name, std::string_view email, Instant now) {
    return json::Value::object({{"name", name}, {"email", email}, {"sent_at", now}});
}

// A reset changes the hash, so that a link is good once and ends the other ones.
std::string bound_to_password(const User& user) { return folded(user.email) + "\n" + user.password_hash; }

}  // namespace

void declare_address_proof(hooks::Hooks& hooks) {
    for (const auto* action : {&verification_due, &link_wanted, &reset_wanted, &reset_due})
        hooks.declare(*action);
}

AddressProof::AddressProof(AddressParts parts) : parts_(std::move(parts)) {
    listen(link_wanted, "identity.link_wanted", [this](store::Transaction& tx, const User& user) {
        if (!user.email_verified)
            ask(tx, user.id, user.display_name, user.email, parts_.clock.now());
    });
    listen(reset_wanted, "identity.password_reset_wanted", [this](store::Transaction& tx, const User& user) {
        parts_.hooks.emit(tx, reset_due,
                          {user.id, account_with_time(user.display_name, user.email, parts_.clock.now())});
    });
}

// Whether the address has an account is looked up here, after the answer: how long that takes reveals nothing.
void AddressProof::listen(const hooks::Action& action, std::string name,
                          const std::function<void(store::Transaction&, const User&)>& then) {
    const auto subscribed =
        parts_.hooks.on(action.name, {.name = std::move(name)}, [this, then](const json::Array& arguments) {
            const auto sent = parts_.store.write([&](store::Transaction& tx) -> Result<void> {
                if (const auto known = repository::find_user(tx, folded(arguments.at(0).text()));
                    known && known->status != "blocked")
                    then(tx, *known);
                return {};
            });
            if (!sent)
                throw std::runtime_error("the link could not be requested: " + sent.error().cause());
        });
    if (!subscribed)
        throw std::logic_error("identity cannot listen: " + subscribed.error().cause());
}

std::string AddressProof::token(const crypto::Keyring& keyring, std::int64_t user_id, std::string_view email,
                                Instant sent_at) {
    return AccountLink::issue(keyring, proves, user_id, sent_at.seconds() + proof_lifetime.count(), folded(email));
}

std::string AddressProof::reset_token(std::int64_t user_id, Instant sent_at) const {
    const auto user = parts_.store.reading<std::optional<User>>(
        [&](store::Session& session) { return repository::find_user(session, user_id); });
    return user ? AccountLink::issue(*parts_.keyring, resets, user_id, sent_at.seconds() + reset_lifetime.count(),
                                     bound_to_password(*user))
                : std::string();
}

void AddressProof::ask(store::Transaction& tx, std::int64_t user_id, std::string_view name, std::string_view email,
                       Instant now) {
    repository::verification_sent(tx, user_id, now);
    parts_.hooks.emit(tx, verification_due, {user_id, account_with_time(name, email, now)});
}

bool AddressProof::may_mail(std::string_view email) {
    return parts_.limits.take_strictly({{links_bucket, mailbox_key(email), links_to_address}}).allowed;
}

Result<void> AddressProof::resend(const std::string& email, const std::string& address) {
    const std::string network = limits::network_of(address);
    if (auto allowed =
            limits::answer_of(parts_.limits.take_strictly({{"verification_address", network, links_of_network}}));
        !allowed)
        return allowed;
    const auto verdict = parts_.limits.take_strictly({{links_bucket, mailbox_key(email), links_to_address}});
    if (auto allowed = limits::answer_of(verdict); !allowed) {
        static const std::string member = "remaining_seconds";
        Error error = allowed.error();
        error.with(member, std::to_string(verdict.retry_after));
        return error;
    }
    return parts_.store.write([&](store::Transaction& tx) -> Result<void> {
        parts_.hooks.emit(tx, link_wanted, {email});
        return {};
    });
}

Result<void> AddressProof::forget_password(const std::string& email, const std::string& address) {
    const std::string network = limits::network_of(address);
    if (auto allowed =
            limits::answer_of(parts_.limits.take_strictly({{"password_reset_address", network, links_of_network}}));
        !allowed)
        return allowed;
    const bool is_due = parts_.limits.take_strictly({{resets_bucket, mailbox_key(email), links_to_address}}).allowed;
    return parts_.store.write([&](store::Transaction& tx) -> Result<void> {
        if (is_due)
            parts_.hooks.emit(tx, reset_wanted, {email});
        return {};
    });
}

void AddressProof::take_over(store::Transaction& tx, const User& user, Instant now) {
    repository::end_secrets(tx, user.id, now);
    tokens::revoke_all(tx, "user", user.id, now);
    if (user.email_verified)
        return;
    repository::set_verified(tx, user.id, now);
    if (parts_.follow)
        parts_.follow(tx, user.id, user.email);
}

namespace {

// The signed link, or why it counts for nothing; a wrong one is counted against its sender's network.
Result<AccountLink> link_of(limits::RateLimits& limits, const crypto::Keyring& keyring, std::string_view purpose,
                            const LinkUse& use) {
    SVC_RETURN_IF_ERROR(tokens::may_try(limits, use.address));
    auto link = AccountLink::read(keyring, purpose, use.token);
    if (link)
        return std::move(*link);
    SVC_RETURN_IF_ERROR(tokens::wrong_guess(limits, use.address));
    return errc::invalid_token;
}

}  // namespace

Result<AddressProof::Verified> AddressProof::verify(const LinkUse& use) {
    SVC_RETURN_IF_ERROR(Accounts::check_password(use.password));
    SVC_ASSIGN_OR_RETURN(const auto link, link_of(parts_.limits, *parts_.keyring, proves, use));
    const std::string hash = crypto::hash_password(use.password);
    auto done = parts_.store.transact<Verified>([&](store::Transaction& tx) -> Result<Verified> {
        const Instant now = parts_.clock.now();
        auto user = repository::find_user(tx, link.user_id);
        if (!user || user->status == "blocked" || !link.is_bound_to(folded(user->email)))
            return errc::invalid_token;
        if (user->email_verified)
            return Verified{std::move(*user), true};
        if (link.end <= now.seconds())
            return errc::token_expired;
        if (!repository::set_password(tx, user->id, user->password_hash, hash, now))
            return Verified{std::move(*user), true};  // by the same link at the same moment
        take_over(tx, *user, now);
        return Verified{repository::find_user(tx, link.user_id).value(), false};
    });
    if (done && !done->before)
        parts_.identity.arrived(done->user.id, done->user.email);
    return done;
}

Result<void> AddressProof::reset_password(const LinkUse& use) {
    SVC_RETURN_IF_ERROR(Accounts::check_password(use.password));
    SVC_ASSIGN_OR_RETURN(const auto link, link_of(parts_.limits, *parts_.keyring, resets, use));
    const std::string hash = crypto::hash_password(use.password);
    std::optional<User> user;
    auto done = parts_.store.write([&](store::Transaction& tx) -> Result<void> {
        const Instant now = parts_.clock.now();
        if (link.end <= now.seconds())
            return errc::token_expired;
        user = repository::find_user(tx, link.user_id);
        if (!user || user->status == "blocked" || !link.is_bound_to(bound_to_password(*user)) ||
            !repository::set_password(tx, user->id, user->password_hash, hash, now))
            return errc::invalid_token;
        take_over(tx, *user, now);
        return {};
    });
    if (done)
        parts_.identity.arrived(user->id, user->email);
    return done;
}

}  // namespace svc::identity
