// How a customer's account is made.
#include "base/people/identity/registration.hpp"

#include <algorithm>

#include "base/people/identity/hooks.hpp"
#include "base/people/identity/repository.hpp"
#include "shared/core/email.hpp"
#include "shared/core/person_name.hpp"
#include "shared/core/text.hpp"

namespace svc::identity {
namespace {

using namespace std::chrono_literals;

constexpr limits::Limit new_accounts{5, 600s};

// A similar address without an account.
std::string stand_in_for(std::string_view email) {
    const auto at = email.find('@');
    return crypto::random_code(std::max<std::size_t>(at, 16), "abcdefghijklmnopqrstuvwxyz") +
           std::string(email.substr(at));
}

}  // namespace

void declare_registration(settings::Settings& settings, hooks::Hooks& hooks) {
    hooks.declare(registered_again);
    settings.declare({.key = "customer_registration",
                      .type = api::boolean(),
                      .initial = true,
                      .help = "Visitors may create an account, by /auth/register or with a booking.",
                      .group = "customer",
                      .also = {"enable_customer_registration"}});
    settings.declare({.key = "enable_customer_accounts",
                      .type = api::boolean(),
                      .initial = true,
                      .help = "Enable customer accounts; when off, none can be created.",
                      .group = "customer"});
    settings.declare({.key = "require_email_verification",
                      .type = api::boolean(),
                      .initial = false,
                      .help = "Has no effect: new accounts always sign in after confirming the e-mail address, since"
                              " the mailed page sets the password.",
                      .group = "customer"});
}

Registration::Registration(Parts parts) : parts_(std::move(parts)) {}

bool Registration::is_on() const {
    return parts_.settings.flag("customer_registration") && parts_.settings.flag("enable_customer_accounts");
}

Result<void> Registration::admit(const std::string& recaptcha_token, const std::string& address, bool is_person) {
    if (!is_on())
        return errc::registration_disabled;
    const std::string network = limits::network_of(address);
    SVC_RETURN_IF_ERROR(limits::answer_of(parts_.limits.take_strictly({{"register", network, new_accounts}})));
    return parts_.is_human && !is_person ? parts_.is_human(recaptcha_token, address) : Result<void>();
}

Result<Registration::CreateAccount> Registration::prepare(const NewAccount& account) {
    if (!is_on())
        return errc::registration_disabled;
    for (const auto& [field, name] :
         {std::pair("first_name", &account.first_name), std::pair("last_name", &account.last_name)})
        SVC_RETURN_IF_ERROR(check_person_name(field, *name));
    return build(account);
}

Result<Registration::CreateAccount> Registration::invite(NewAccount account) {
    account.password.clear();
    return build(account);
}

Result<Registration::CreateAccount> Registration::build(const NewAccount& requested) {
    NewAccount data = requested;
    if (auto address = email_address(data.email))
        data.email = std::move(*address);
    else
        return invalid("email", "Enter a valid e-mail address."_sentence);
    if (!data.password.empty())
        SVC_RETURN_IF_ERROR(Accounts::check_password(data.password));
    parts_.accounts.prepare();
    Accounts::Fresh fresh{
        .email = data.email,
        .display_name = text::clean(data.first_name + " " + data.last_name),
        // Nobody's: the mailed page sets the password. Hashed, so that signing in takes as long as for any account.
        .password_hash = crypto::hash_password(crypto::random_token()),
        .status = "pending_verification"};
    const bool may_mail = parts_.proof.may_mail(data.email);
    return CreateAccount([this, data, fresh, may_mail](store::Transaction& tx) -> Result<std::int64_t> {
        const Instant now = parts_.clock.now();
        // Known or not, the same is written, and undone where it is known: how long it takes reveals nothing.
        const auto known = repository::find_user(tx, folded(data.email));
        Accounts::Fresh account = fresh;
        NewAccount person = data;
        if (known)
            account.email = person.email = stand_in_for(data.email);
        std::int64_t id = 0;
        const auto created = tx.attempt([&]() -> Result<void> {
            SVC_ASSIGN_OR_RETURN(const auto inserted, Accounts::insert_customer(tx, account, now));
            id = inserted;
            if (parts_.made)
                parts_.made(tx, person);
            return known ? Result<void>(errc::email_exists) : Result<void>();
        });
        if (!known && !created)
            return created.error();
        if (!known)
            parts_.proof.ask(tx, id, fresh.display_name, data.email, now);
        else if (may_mail && !known->email_verified && known->status != "blocked")
            parts_.proof.ask(tx, known->id, known->display_name, known->email, now);
        else if (may_mail)
            parts_.hooks.emit(
                tx, registered_again,
                {known->id, json::Value::object({{"name", known->display_name}, {"email", known->email}})});
        return known ? 0 : id;
    });
}

Result<void> Registration::add(const NewAccount& account) {
    SVC_ASSIGN_OR_RETURN(const auto makes, prepare(account));
    const auto written = [&]() -> Result<std::int64_t> {
        try {
            return parts_.store.transact<std::int64_t>(makes);
        } catch (const store::UniqueViolation&) {  // created concurrently: it exists now
            return parts_.store.transact<std::int64_t>(makes);
        }
    }();
    return written ? Result<void>() : Result<void>(written.error());
}

}  // namespace svc::identity
