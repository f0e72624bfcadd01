// Links are v1.{user}.{end}.{digest of the address}.{mac}.
#include "base/identity/registration.hpp"

#include <algorithm>
#include <charconv>
#include <stdexcept>

#include "base/identity/repository.hpp"
#include "base/identity/tokens.hpp"
#include "shared/core/email.hpp"
#include "shared/core/text.hpp"

namespace svc::identity {
namespace {

using namespace std::chrono_literals;

constexpr limits::Limit new_accounts{5, 600s};
constexpr limits::Limit links_of_address{20, 600s};
constexpr limits::Limit links{1, 120s};
constexpr std::chrono::seconds link_lifetime = 24h;
constexpr std::string_view links_bucket = "verification_link";

const hooks::Action verification_due{
    "svc_account_verification_due",
    "3.0.0",
    "Somebody with an account is to prove that its e-mail address is theirs: it is new,"
    " or they asked for the link once more. account: name, email, sent_at.",
    {"user_id", "account"}};
const hooks::Action link_wanted{
    "svc_account_link_wanted",
    "3.0.0",
    "Somebody asked for the link that proves an address once more, whether it has an account or not:"
    " svc_account_verification_due follows where the link is due.",
    {"email"}};
const hooks::Action registered_again{
    "svc_account_registered_again",
    "3.0.0",
    "Somebody tried to make an account for an address that has one already; the one who"
    " tried was not told. account: name, email.",
    {"user_id", "account"}};

std::string digest_of(std::string_view email) { return crypto::sha256_hex(folded(email)).substr(0, 16); }

std::string mac_of(const crypto::Keyring& keyring, std::string_view signed_part) {
    return crypto::hex(keyring.mac("email_verify", signed_part));
}

struct Proof {
    std::int64_t user_id = 0, end = 0;
    std::string digest;
};

std::optional<Proof> read(const crypto::Keyring& keyring, std::string_view token) {
    const auto last = token.rfind('.');
    if (last == std::string_view::npos || !keyring.any([&](const crypto::Keyring& one) {
            return crypto::equal(mac_of(one, token.substr(0, last)), token.substr(last + 1));
        }))
        return std::nullopt;
    // Ours: its parts are what we wrote.
    Proof proof;
    const char* const end = token.data() + last;
    const auto user = std::from_chars(token.data() + 3, end, proof.user_id);
    const auto until = std::from_chars(user.ptr + 1, end, proof.end);
    proof.digest.assign(until.ptr + 1, end);
    return proof;
}

// An address like that one which nobody has.
std::string stand_in_for(std::string_view email) {
    const auto at = email.find('@');
    return crypto::random_code(std::max<std::size_t>(at, 16), "abcdefghijklmnopqrstuvwxyz") +
           std::string(email.substr(at));
}

json::Value account_json(std::string_view name, std::string_view email) {
    return json::Value::object({{"name", name}, {"email", email}});
}

}  // namespace

void declare_registration(settings::Settings& settings, hooks::Hooks& hooks) {
    hooks.declare(verification_due);
    hooks.declare(link_wanted);
    hooks.declare(registered_again);
    settings.declare({.key = "customer_registration",
                      .type = api::boolean(),
                      .fresh = true,
                      .says = "Visitors may make themselves an account, by /auth/register.",
                      .group = "customer",
                      .also = {"enable_customer_registration"}});
    settings.declare({.key = "enable_customer_accounts",
                      .type = api::boolean(),
                      .fresh = true,
                      .says = "Customers have accounts at all; without it /auth/register is off too.",
                      .group = "customer"});
    settings.declare({.key = "require_email_verification",
                      .type = api::boolean(),
                      .fresh = false,
                      .says = "Who registers signs in only once their address is proven by the mailed link.",
                      .group = "customer"});
}

Registration::Registration(Parts parts) : parts_(std::move(parts)) {
    const auto heard =
        parts_.hooks.on(link_wanted.name, {.name = "identity.link_wanted"}, [this](const json::Array& told) {
            const auto sent = parts_.store.write([&](store::Transaction& tx) -> Result<void> {
                const auto known = repository::find_user(tx, folded(told.at(0).text()));
                if (known && !known->email_verified && known->status != "blocked")
                    ask_for_proof(tx, known->id, known->display_name, known->email, parts_.clock.now());
                return {};
            });
            if (!sent)
                throw std::runtime_error("the link was not asked for: " + sent.error().cause());
        });
    if (!heard)
        throw std::logic_error("identity cannot listen: " + heard.error().cause());
}

std::string Registration::token(const crypto::Keyring& keyring, std::int64_t user_id, std::string_view email,
                                Instant sent_at) {
    const std::string signed_part = "v1." + std::to_string(user_id) + "." +
                                    std::to_string(sent_at.seconds() + link_lifetime.count()) + "." + digest_of(email);
    return signed_part + "." + mac_of(keyring, signed_part);
}

void Registration::ask_for_proof(store::Transaction& tx, std::int64_t user_id, std::string_view name,
                                 std::string_view email, Instant now) {
    repository::verification_sent(tx, user_id, now);
    json::Value account = account_json(name, email);
    account.set("sent_at", now);
    parts_.hooks.emit(tx, verification_due, {user_id, std::move(account)});
}

Result<void> Registration::add(const NewAccount& wanted) {
    if (!parts_.settings.flag("customer_registration") || !parts_.settings.flag("enable_customer_accounts"))
        return errc::registration_disabled;
    if (!is_email(wanted.email))
        return invalid("email", "This is not an e-mail address.");
    if (auto good = Accounts::check_password(wanted.password); !good)
        return good;
    const std::string network = limits::network_of(wanted.address);
    if (auto allowed = limits::answer_of(parts_.limits.take_strictly({{"register", network, new_accounts}})); !allowed)
        return allowed;
    if (parts_.is_human)
        if (auto human = parts_.is_human(wanted.recaptcha_token, wanted.address); !human)
            return human;
    parts_.identity.accounts().prepare();
    const std::string name = wanted.first_name + " " + wanted.last_name;
    const Accounts::Fresh fresh{
        .email = wanted.email,
        .display_name = name,
        // Known or not, the same work: how long it takes tells nobody which.
        .password_hash = crypto::hash_password(wanted.password),
        .status = parts_.settings.flag("require_email_verification") ? "pending_verification" : "active"};
    const bool may_send = parts_.limits.take_strictly({{links_bucket, folded(wanted.email), links}}).allowed;
    const auto work = [&](store::Transaction& tx) -> Result<void> {
        const Instant now = parts_.clock.now();
        // Known or not, the same is written, and undone where it is known: how long it takes tells nobody which.
        const auto known = repository::find_user(tx, folded(wanted.email));
        Accounts::Fresh account = fresh;
        NewAccount person = wanted;
        if (known)
            account.email = person.email = stand_in_for(wanted.email);
        std::int64_t id = 0;
        const auto made = tx.attempt([&]() -> Result<void> {
            const auto inserted = Accounts::insert_customer(tx, account, now);
            if (!inserted)
                return inserted.error();
            id = *inserted;
            if (parts_.made)
                parts_.made(tx, id, person);
            return known ? Result<void>(errc::email_exists) : Result<void>();
        });
        if (!known && !made)
            return made.error();
        if (!known)
            ask_for_proof(tx, id, name, wanted.email, now);
        else if (may_send && !known->email_verified && known->status != "blocked")
            ask_for_proof(tx, known->id, known->display_name, known->email, now);
        else if (may_send)
            parts_.hooks.emit(tx, registered_again, {known->id, account_json(known->display_name, known->email)});
        return {};
    };
    try {
        return parts_.store.write(work);
    } catch (const store::UniqueViolation&) {  // somebody else's at the same moment: now it is there
        return parts_.store.write(work);
    }
}

Result<void> Registration::resend(const std::string& email, const std::string& address) {
    const std::string network = limits::network_of(address);
    if (auto allowed =
            limits::answer_of(parts_.limits.take_strictly({{"verification_address", network, links_of_address}}));
        !allowed)
        return allowed;
    const auto verdict = parts_.limits.take_strictly({{links_bucket, folded(email), links}});
    if (auto allowed = limits::answer_of(verdict); !allowed) {
        static const std::string member = "remaining_seconds";
        Error error = allowed.error();
        error.with(member, std::to_string(verdict.retry_after));
        return error;
    }
    // Whether it has an account is looked up afterwards: how long the answer takes tells nobody.
    return parts_.store.write([&](store::Transaction& tx) -> Result<void> {
        parts_.hooks.emit(tx, link_wanted, {email});
        return {};
    });
}

Result<bool> Registration::verify(std::string_view token, const std::string& address) {
    if (auto allowed = tokens::may_try(parts_.limits, address); !allowed)
        return allowed.error();
    const auto proof = read(*parts_.keyring, token);
    if (!proof) {
        if (auto counted = tokens::wrong_guess(parts_.limits, address); !counted)
            return counted.error();
        return errc::invalid_token;
    }
    const Instant now = parts_.clock.now();
    std::optional<User> user;
    auto done = parts_.store.transact<bool>([&](store::Transaction& tx) -> Result<bool> {
        user = repository::find_user(tx, proof->user_id);
        if (!user || user->status == "blocked" || digest_of(user->email) != proof->digest)
            return errc::invalid_token;
        if (user->email_verified)
            return true;
        if (proof->end <= now.seconds())
            return errc::token_expired;
        repository::set_verified(tx, user->id, now);
        if (parts_.made)
            parts_.made(tx, user->id,
                        {.first_name = {},
                         .last_name = {},
                         .email = user->email,
                         .phone = {},
                         .password = {},
                         .recaptcha_token = {}});
        return false;
    });
    if (done && !*done)
        parts_.identity.arrived(user->id, user->email);
    return done;
}

}  // namespace svc::identity
