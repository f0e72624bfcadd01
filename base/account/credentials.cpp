// One's own password and address: the routes, and the page behind the mailed link.
#include "base/account/feature.hpp"
#include "base/identity/mailed_page.hpp"

namespace svc::account {
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

identity::MailedForm change_form(std::string token) {
    return {.title = "Use your new e-mail address",
            .text = "Your account has this address from now on. You sign in with it, and mails go there.",
            .action = "confirm",
            .token = std::move(token),
            .button = "Use the new address"};
}

api::RouteSpec password_route(identity::OwnAccount& own) {
    return {.method = Method::put,
            .path = "/customers/me/password",
            .who = Permission::signed_in(),
            .summary = "Change the caller's password. Ends the other sessions.",
            .body = {{"current_password", api::raw_text(1024), "The current password.", true},
                     {"new_password", api::raw_text(1024), "At least 8 characters.", true}},
            .answer = api::object({{"updated", api::boolean(), "", true}}),
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
            .who = Permission::signed_in(),
            .summary =
                "Request a change of the caller's e-mail address. A link is mailed to the new one; nothing changes "
                "before it is used."
                " The answer is the same where another account has the address.",
            .body = {{"email", api::text(254, 3), "The new address.", true, {"new_email"}},
                     {"current_password", api::raw_text(1024), "The current password.", true}},
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
        .who = Permission::signed_in(),
        .summary = "Send the link to the new address again, at most every two minutes.",
        .answer = waiting_answer(),
        .errors = {&errc::rate_limited},
        .keeps_replay = false,
        .handle = [&own](const Request& request) { return api::respond(own.resend_link(request.caller), waiting); }};
}

api::RouteSpec page_route() {
    return {.method = Method::get,
            .path = "/customers/me/email/confirm",
            .who = Permission::everyone(),
            .summary = "Show the page of the mailed link, with a button to confirm the new address. Changes nothing.",
            .query = {{"token", api::raw_text(300), "Of the link.", true}},
            .enveloped = false,
            .files = {"text/html"},
            .waits = false,
            .handle = [](const Request& request) {
                return identity::form_page(change_form(request.query["token"].text()));
            }};
}

api::RouteSpec confirm_route(identity::OwnAccount& own, const std::string& site_url) {
    return {.method = Method::post,
            .path = "/customers/me/email/confirm",
            .who = Permission::everyone(),
            .summary = "Change the address of an account by the mailed link. The old address is notified.",
            .body = {{"token", api::raw_text(300), "Of the link.", true}},
            .answer = api::object({{"email", api::email(), "The new address of the account.", true}}),
            .files = {"text/html"},
            .errors = {&errc::invalid_token, &errc::token_expired, &errc::email_exists, &errc::rate_limited},
            .keeps_replay = false,
            .handle = [&own, site_url](const Request& request) -> Reply {
                const auto done = own.prove(request.body["token"].text(), request.address);
                if (!identity::sent_by_form(request))
                    return done ? api::ok(Value::object({{"email", *done}})) : api::failed(done.error());
                return done ? identity::message_page(200, "Your address is changed",
                                                     "Your account has its new address now.", site_url, "Go on")
                            : identity::message_page(done.error().code().status, "Your address is as it was",
                                                     done.error().message());
            }};
}

}  // namespace

void Feature::add_credential_routes() {
    for (auto spec : {password_route(own), ask_route(own), keep_route(own), again_route(own), page_route(),
                      confirm_route(own, site_.installation.address)})
        site_.routes.add(std::move(spec));
}

}  // namespace svc::account
