// The requests of an account's holder: a mailed link, the page that it opens, and the action of the page's button.
#include "base/people/identity/account_link.hpp"
#include "base/people/identity/mailed_page.hpp"
#include "base/people/identity/proven.hpp"
#include "base/people/identity/tokens.hpp"
#include "base/people/privacy/feature.hpp"
#include "base/people/privacy/hooks.hpp"

namespace svc::privacy {
namespace {

using api::Method;
using api::Permission;
using api::Reply;
using api::Request;
using json::Value;
using namespace std::chrono_literals;

constexpr limits::Limit privacy_links{1, 120s};
constexpr std::chrono::seconds privacy_lifetime = 24h;

// The differences between the two requests.
struct Words {
    std::string_view path, purpose, name;
    const char *ask_name, *page_name, *act_name;  // of the operations
    const char *asks, *opens, *acts;              // summaries
    SentenceId title, text, button;
};
constexpr Words words[] = {
    {"/customers/me/export", "privacy_export", "export", "requestDataExport", "showDataExport", "downloadMyData",
     "Request an export of the caller's personal data. A link is mailed to the account's address.",
     "Show the page of the mailed link, with a button to download the data. Changes nothing.",
     "Download the personal data of the account that the link was mailed to, once.", "Your data"_sentence,
     "You can download a file with all data that we store about you. The link works once."_sentence,
     "Download the file"_sentence},
    {"/customers/me/erasure", "privacy_erasure", "erasure", "requestErasure", "showErasure", "confirmErasure",
     "Request the erasure of the caller's personal data. A link is mailed to the account's address. Rejected while a"
     " booking has not ended.",
     "Show the page of the mailed link, with a button to erase the data. Changes nothing.",
     "Erase the account that the link was mailed to, and its owner's data. Issued invoices remain, and amounts and"
     " references of payments.",
     "Erase your data"_sentence,
     "Your account is deleted and the data we store about you is erased permanently. Invoices remain, as the law "
     "requires."_sentence,
     "Erase my data now"_sentence}};

const Words& words_of(Wish wish) { return words[static_cast<std::size_t>(wish)]; }

std::string bound_to_account(const identity::User& user) {
    return identity::folded(user.email) + "\n" + user.password_hash;
}

identity::MailedForm form_of(const Words& of, std::string token) {
    return {.title = of.title, .text = of.text, .action = "confirm", .token = std::move(token), .button = of.button};
}

Reply as_file(const Value& data) {
    Reply reply = api::prebuilt(std::make_shared<const std::string>(data.dump()));
    reply.headers.emplace_back("Content-Disposition", "attachment; filename=\"personal-data.json\"");
    reply.headers.emplace_back("Cache-Control", "no-store");
    return reply;
}

}  // namespace

void Feature::add_routes() {
    for (const Wish wish : {Wish::data, Wish::erasure})
        for (auto spec : {ask_route(wish), page_route(wish), act_route(wish)})
            site_.routes.add(std::move(spec));
}

std::string Feature::token(Wish wish, std::int64_t user_id, Instant sent_at) const {
    const auto user = own_.account(user_id);
    return user ? identity::AccountLink::issue(*site_.keyring, words_of(wish).purpose, user_id,
                                               sent_at.seconds() + privacy_lifetime.count(), bound_to_account(*user))
                : std::string();
}

Result<void> Feature::ask(Wish wish, const Request& request) {
    if (!identity::is_proven(request.caller))
        return errc::needs_verification;
    SVC_ASSIGN_OR_RETURN(const auto user, own_.with_password(request.caller, request.body["current_password"].text()));
    const std::string address = identity::folded(user.email);
    if (auto allowed =
            limits::answer_of(site_.limits.take_strictly({{words_of(wish).purpose, address, privacy_links}}));
        !allowed)
        return allowed;
    return site_.store.write([&](store::Transaction& tx) -> Result<void> {
        site_.hooks.emit(tx, privacy_link_due,
                         {user.id, Value::object({{"name", user.display_name},
                                                  {"email", user.email},
                                                  {"sent_at", request.now},
                                                  {"wants", words_of(wish).name}})});
        return {};
    });
}

Result<std::string> Feature::proven_by(Wish wish, const Request& request) const {
    SVC_RETURN_IF_ERROR(identity::tokens::may_try(site_.limits, request.address));
    const auto link = identity::AccountLink::read(*site_.keyring, words_of(wish).purpose, request.body["token"].text());
    if (!link) {
        const auto counted = identity::tokens::wrong_guess(site_.limits, request.address);
        return counted ? Error{errc::invalid_token} : counted.error();
    }
    const auto user = own_.account(link->user_id);
    if (!user || user->status == "blocked" || !link->is_bound_to(bound_to_account(*user)))
        return errc::invalid_token;
    if (link->end <= request.now.seconds())
        return errc::token_expired;
    return user->email;
}

// The file is handed out once: a link that somebody finds later in the mailbox opens nothing.
Result<void> Feature::spend_link(const Request& request) {
    const std::string& token = request.body["token"].text();
    const auto link = identity::AccountLink::read(*site_.keyring, words_of(Wish::data).purpose, token);
    return site_.store.write([&](store::Transaction& tx) -> Result<void> {
        if (!link ||
            !identity::tokens::spend(tx, token, "privacy_export", link->user_id, request.now, privacy_lifetime))
            return Error{errc::invalid_token,
                         "This link was used before. Request another one in your account."_sentence};
        return {};
    });
}

api::RouteSpec Feature::ask_route(Wish wish) {
    return {.method = Method::post,
            .path = std::string(words_of(wish).path),
            .name = words_of(wish).ask_name,
            .who = Permission::signed_in(),
            .summary = words_of(wish).asks,
            .body = {{.name = "current_password",
                      .type = api::raw_text(1024),
                      .help = "The current password.",
                      .required = true}},
            .answer = api::object(
                {{.name = "accepted", .type = api::boolean(), .help = "The link will be mailed.", .required = true}}),
            .errors = {&errc::needs_verification, &errc::rate_limited, &errc::too_many_attempts},
            .keeps_replay = false,
            .handle = [this, wish](const Request& request) -> Reply {
                const auto sent = ask(wish, request);
                return sent ? api::ok(Value::object({{"accepted", true}})) : api::failed(sent.error());
            }};
}

api::RouteSpec Feature::page_route(Wish wish) {
    return {.method = Method::get,
            .path = std::string(words_of(wish).path) + "/confirm",
            .name = words_of(wish).page_name,
            .who = Permission::everyone(),
            .summary = words_of(wish).opens,
            .query = {{.name = "token", .type = api::raw_text(300), .help = "Of the link.", .required = true}},
            .enveloped = false,
            .files = {"text/html"},
            .waits = false,
            .handle = [wish](const Request& request) {
                return identity::form_page(form_of(words_of(wish), request.query["token"].text()));
            }};
}

api::RouteSpec Feature::act_route(Wish wish) {
    api::RouteSpec spec{
        .method = Method::post,
        .path = std::string(words_of(wish).path) + "/confirm",
        .name = words_of(wish).act_name,
        .who = Permission::everyone(),
        .summary = words_of(wish).acts,
        .body = {{.name = "token", .type = api::raw_text(300), .help = "Of the link.", .required = true}},
        .errors = {&errc::invalid_token, &errc::token_expired, &errc::rate_limited, &errc::not_found},
        .keeps_replay = false};
    if (wish == Wish::erasure) {
        spec.answer = api::object({{.name = "erased", .type = api::boolean(), .required = true}});
        spec.files = {"text/html"};
        spec.errors.push_back(&errc::conflict);
    } else {
        spec.enveloped = false;
        spec.files = {"application/json", "text/html"};
    }
    spec.handle = [this, wish](const Request& request) -> Reply {
        const bool by_form = identity::sent_by_form(request);
        const auto failed = [&](const Error& error) {
            return by_form ? identity::message_page(error.code().status, words_of(wish).title, error.message())
                           : api::failed(error);
        };
        const auto email = proven_by(wish, request);
        if (!email)
            return failed(email.error());
        if (wish == Wish::data) {
            const auto data = exported(*email);
            if (!data)
                return failed(data.error());
            if (auto first = spend_link(request); !first)
                return failed(first.error());
            return as_file(*data);
        }
        if (const auto erased = erase(*email); !erased)
            return failed(erased.error());
        return by_form
                   ? identity::message_page(200, "Your data is erased"_sentence, "Your account was deleted."_sentence,
                                            site_.installation.address, "Go on"_sentence)
                   : api::ok(Value::object({{"erased", true}}));
    };
    return spec;
}

}  // namespace svc::privacy
