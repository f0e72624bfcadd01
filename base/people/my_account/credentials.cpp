// One's own password and address: the routes, and the page behind the mailed link.
#include "base/people/identity/mailed_page.hpp"
#include "base/people/my_account/feature.hpp"

namespace svc::my_account {
namespace {

using api::Method;
using api::Permission;
using api::Reply;
using api::Request;
using json::Value;

api::Type waiting_answer() {
    return api::object({{.name = "pending_email",
                         .type = api::email().or_null(),
                         .help = "The new address until it is confirmed; null: none.",
                         .required = true}});
}

Reply waiting(std::optional<std::string> email) {
    Reply reply = api::ok(Value::object({{"pending_email", std::move(email)}}));
    reply.headers.emplace_back("Cache-Control", "no-store");
    return reply;
}

// The page names the account, and asks for its password unless this browser is signed in to it.
identity::MailedForm change_form(const identity::OwnAccount::Change& change, std::string token, std::string nonce) {
    identity::MailedForm form{.title = "Use this e-mail address for the account"_sentence,
                              .text =
                                  "You sign in to the account with this address from now on, and mails go there."
                                  " If you do not know the account, close this page: nothing is changed."_sentence,
                              .action = "confirm",
                              .token = std::move(token),
                              .button = "Use this address"_sentence};
    form.account = change.account;
    form.asks_current_password = nonce.empty();
    form.nonce = std::move(nonce);
    return form;
}

constexpr SentenceId unchanged = "The e-mail address was not changed"_sentence;

// The caller that a page's form proves: signed in by its cookie, with the nonce that the page was given.
api::Caller caller_by_form(identity::Gatekeeper& gatekeeper, const Request& request) {
    const auto here = gatekeeper.signed_in(request.header("Cookie"));
    return here && gatekeeper.is_nonce_of(here->caller, request.body.text_or("nonce")) ? here->caller : api::Caller{};
}

api::RouteSpec password_route(identity::OwnAccount& own) {
    return {.method = Method::put,
            .path = "/customers/me/password",
            .name = "changeMyPassword",
            .who = Permission::signed_in(),
            .summary = "Change the caller's password. Ends the other sessions.",
            .body = {{.name = "current_password",
                      .type = api::raw_text(1024),
                      .help = "The current password.",
                      .required = true},
                     {.name = "new_password",
                      .type = api::raw_text(1024),
                      .help = "At least 8 characters.",
                      .required = true}},
            .answer = api::object({{.name = "updated", .type = api::boolean(), .required = true}}),
            .errors = {&errc::too_many_attempts, &errc::conflict},
            .keeps_replay = false,
            .handle = [&own](const Request& request) -> Reply {
                const auto done = own.set_password(request.caller, request.body["current_password"].text(),
                                                   request.body["new_password"].text());
                return done ? api::ok(Value::object({{"updated", true}})) : api::failed(done.error());
            }};
}

api::RouteSpec ask_route(identity::OwnAccount& own) {
    return {.method = Method::post,
            .path = "/customers/me/email",
            .name = "requestEmailChange",
            .who = Permission::signed_in(),
            .summary =
                "Request a change of the caller's e-mail address. A link is mailed to the new one; nothing changes "
                "before it is used."
                " The answer is the same where another account has the address.",
            .body = {{.name = "email",
                      .type = api::text(254, 3),
                      .help = "The new address.",
                      .required = true,
                      .also = {"new_email"}},
                     {.name = "current_password",
                      .type = api::raw_text(1024),
                      .help = "The current password.",
                      .required = true}},
            .answer = waiting_answer(),
            .errors = {&errc::needs_verification, &errc::rate_limited, &errc::too_many_attempts},
            .keeps_replay = false,
            .handle = [&own](const Request& request) -> Reply {
                const auto sent = own.request_address(request.caller, request.body["email"].text(),
                                                      request.body["current_password"].text(), request.address);
                return sent ? waiting(own.waiting_address(request.caller.user_id)) : api::failed(sent.error());
            }};
}

api::RouteSpec keep_route(identity::OwnAccount& own) {
    return {.method = Method::del,
            .path = "/customers/me/email",
            .name = "cancelEmailChange",
            .who = Permission::signed_in(),
            .summary = "Cancel the pending change of address; its link becomes invalid.",
            .answer = waiting_answer(),
            .repeats_safely = true,
            .handle = [&own](const Request& request) {
                own.keep_address(request.caller);
                return waiting(std::nullopt);
            }};
}

api::RouteSpec again_route(identity::OwnAccount& own) {
    return {
        .method = Method::post,
        .path = "/customers/me/email/resend",
        .name = "resendEmailChange",
        .who = Permission::signed_in(),
        .summary = "Send the link to the new address again, at most every two minutes.",
        .answer = waiting_answer(),
        .errors = {&errc::rate_limited},
        .keeps_replay = false,
        .handle = [&own](const Request& request) { return api::respond(own.resend_link(request.caller), waiting); }};
}

Reply page_of(const identity::OwnAccount& own, identity::Gatekeeper& gatekeeper, const Request& request,
              const std::string& token, const Error* fault = nullptr) {
    const auto change = own.change_of(token);
    if (!change)
        return identity::message_page(change.error().code().status, unchanged, change.error().message());
    const auto here = gatekeeper.signed_in(request.header("Cookie"));
    auto form =
        change_form(*change, token, here && here->caller.user_id == change->user_id ? here->nonce : std::string());
    if (!fault)
        return identity::form_page(form);
    form.fault = fault->message();
    return identity::form_page(form, fault->code().status);
}

api::RouteSpec page_route(const identity::OwnAccount& own, identity::Gatekeeper& gatekeeper) {
    return {.method = Method::get,
            .path = "/customers/me/email/confirm",
            .name = "showEmailChange",
            .who = Permission::everyone(),
            .summary =
                "Show the page of the mailed link, which names the account and has a button to confirm the new"
                " address. Changes nothing.",
            .query = {{.name = "token", .type = api::raw_text(300), .help = "Of the link.", .required = true}},
            .enveloped = false,
            .files = {"text/html"},
            .errors = {&errc::invalid_token, &errc::token_expired},
            .handle = [&own, &gatekeeper](const Request& request) {
                return page_of(own, gatekeeper, request, request.query["token"].text());
            }};
}

api::RouteSpec confirm_route(identity::OwnAccount& own, identity::Gatekeeper& gatekeeper, const std::string& site_url) {
    return {
        .method = Method::post,
        .path = "/customers/me/email/confirm",
        .name = "confirmEmailChange",
        .who = Permission::everyone(),
        .summary =
            "Change the address of an account by the mailed link, signed in to that account or with its"
            " password. The old address is notified, and other sessions end.",
        .body =
            api::Schema{{.name = "token", .type = api::raw_text(300), .help = "Of the link.", .required = true},
                        {.name = "current_password",
                         .type = api::raw_text(1024),
                         .help = "The account's password; not needed signed in to it."},
                        {.name = "nonce", .type = api::text(identity::longest_nonce), .help = "Of the page's form."}}
                .named("AddressConfirmation"),
        .answer = api::object(
            {{.name = "email", .type = api::email(), .help = "The new address of the account.", .required = true}}),
        .files = {"text/html"},
        .errors = {&errc::invalid_token, &errc::token_expired, &errc::email_exists, &errc::too_many_attempts,
                   &errc::rate_limited},
        .keeps_replay = false,
        .handle = [&own, &gatekeeper, site_url](const Request& request) -> Reply {
            const bool by_form = identity::sent_by_form(request);
            const auto done = own.prove({.token = request.body["token"].text(),
                                         .caller = by_form ? caller_by_form(gatekeeper, request) : request.caller,
                                         .password = request.body.text_or("current_password"),
                                         .network = request.address});
            if (!by_form)
                return done ? api::ok(Value::object({{"email", *done}})) : api::failed(done.error());
            if (done)
                return identity::message_page(200, "The e-mail address is changed"_sentence,
                                              "The account has its new address now."_sentence, site_url,
                                              "Go on"_sentence);
            return done.error().fields().empty()
                       ? identity::message_page(done.error().code().status, unchanged, done.error().message())
                       : page_of(own, gatekeeper, request, request.body["token"].text(), &done.error());
        }};
}

}  // namespace

void Feature::add_credential_routes() {
    for (auto spec : {password_route(own), ask_route(own), keep_route(own), again_route(own),
                      page_route(own, lower_.identity.gatekeeper),
                      confirm_route(own, lower_.identity.gatekeeper, site_.installation.address)})
        site_.routes.add(std::move(spec));
}

}  // namespace svc::my_account
