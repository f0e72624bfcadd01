// The routes of mailed links: request, page, and the page's form.
#include "base/people/identity/address_proof.hpp"
#include "base/people/identity/mailed_page.hpp"
#include "base/people/identity/session_cookie.hpp"
#include "shared/api/keeping.hpp"
#include "shared/api/named.hpp"

namespace svc::identity {
namespace {

using api::Reply;
using api::Request;
using json::Value;

Reply private_answer(Value data) {
    Reply reply = api::ok(std::move(data));
    reply.headers.emplace_back("Cache-Control", "no-store");
    return reply;
}

MailedForm verification_form() {
    return {.title = "Confirm your e-mail address"_sentence,
            .text = "Choose the password of your account. Then you are signed in on this browser."_sentence,
            .action = "verify-email",
            .token = {},
            .button = "Confirm and set the password"_sentence,
            .asks_password = true};
}

MailedForm reset_form() {
    return {.title = "Set a new password"_sentence,
            .text = "This signs out all sessions and revokes application passwords."_sentence,
            .action = "reset",
            .token = {},
            .button = "Set the password"_sentence,
            .asks_password = true};
}

// The page again with the fault where the form can be mended, else the fault alone.
Reply failed_page(MailedForm form, const Request& request, const Error& error) {
    if (error.fields().empty())
        return message_page(error.code().status, form.title, error.message());
    form.token = request.body["token"].text();
    form.fault = error.message();
    return form_page(form, error.code().status);
}

// Rules beyond the schema: both passwords are equal and acceptable.
Result<LinkUse> use_of(const Request& request) {
    const std::string& password = request.body["password"].text();
    SVC_RETURN_IF_ERROR(Accounts::check_password(password));
    if (const auto again = request.body.maybe_text("confirm_password"); again && *again != password)
        return invalid("confirm_password", "The passwords do not match."_sentence);
    return LinkUse{.token = request.body["token"].text(), .password = password, .address = request.address};
}

api::Schema link_fields() {
    return api::Schema{
        {.name = "token", .type = api::raw_text(300), .help = "Token of the mailed link.", .required = true},
        {.name = "password",
         .type = api::raw_text(1024),
         .help = "The account's new password, at least 8 characters.",
         .required = true},
        {.name = "confirm_password", .type = api::raw_text(1024), .help = "The password repeated; optional."}}
        .named("NewPassword");
}

void add_page(api::RouteTable& routes, std::string path, std::string summary, MailedForm (*form)()) {
    routes.add(
        {.method = api::Method::get,
         .path = std::move(path),
         .who = api::Permission::everyone(),
         .summary = std::move(summary),
         .query =
             {{.name = "token", .type = api::raw_text(300), .help = "Token of the mailed link.", .required = true}},
         .enveloped = false,
         .files = {"text/html"},
         .waits = false,
         .handle = [form](const Request& request) {
             MailedForm page = form();
             page.token = request.query["token"].text();
             return form_page(page);
         }});
}

void add_request(api::RouteTable& routes, std::string path, std::string name, std::string summary, api::Type email,
                 std::function<Result<void>(const std::string& email, const std::string& address)> mail_link) {
    routes.add(
        {.method = api::Method::post,
         .path = std::move(path),
         .name = std::move(name),
         .who = api::Permission::everyone(),
         .summary = std::move(summary),
         .body = {{.name = "email", .type = std::move(email), .help = "The account's address.", .required = true}},
         .answer = api::object("LinkAccepted", {{.name = "accepted",
                                                 .type = api::boolean(),
                                                 .help = "A link was sent if the account needs one.",
                                                 .required = true}}),
         .errors = {&errc::rate_limited},
         .stores_reply = true,
         .handle = [mail_link = std::move(mail_link)](const Request& request) {
             return api::respond_once(
                 request, [&] { return mail_link(request.body["email"].text(), request.address); },
                 private_answer(Value::object({{"accepted", true}})));
         }});
}

// Whether the form was sent by a page of this site; else another site could sign a visitor in to an account of its own.
bool is_of_this_site(const Request& request, const std::string& site_url) {
    const auto fetch = request.header("Sec-Fetch-Site"), origin = request.header("Origin"),
               host = request.header("Host");
    if (!fetch.empty())
        return fetch == "same-origin";
    const auto names = origin.find("://");
    return origin == site_url || (names != std::string_view::npos && !host.empty() && origin.substr(names + 3) == host);
}

// Signs the holder in on the browser that sent the page's form.
bool begin_session(Service& service, const Request& request, const User& user, Reply& reply) {
    if (!is_of_this_site(request, service.options().site_url))
        return false;
    const bool secure = service.options().cookie_secure;
    const auto in = service.sign_in_by_link(user, {.username = user.login,
                                                   .password = {},
                                                   .address = request.address,
                                                   .user_agent = std::string(request.header("User-Agent")),
                                                   .present_token = session_cookie(request.header("Cookie"), secure)});
    if (!in)
        return false;
    reply.headers.emplace_back("Set-Cookie", set_session_cookie(in->token, secure, in->cookie_max_age));
    reply.headers.emplace_back("Set-Cookie", signed_in_hint(secure));
    return true;
}

Reply verified_page(Service& service, const settings::Settings& settings, const Request& request,
                    const AddressProof::Verified& done) {
    constexpr SentenceId title = "Your address is confirmed"_sentence;
    const std::string& site_url = service.options().site_url;
    if (done.before)
        return message_page(200, title,
                            "It was already confirmed and the password is unchanged. If you do not know the password,"
                            " request a new one."_sentence,
                            site_url, "Continue"_sentence);
    const std::string account = site_url + "/" + settings.text("account_base");
    Reply page =
        message_page(200, title, "Your password is set. You are signed in."_sentence, account, "Continue"_sentence);
    if (begin_session(service, request, done.user, page))
        return page;
    return message_page(200, title, "Your password is set. You can now sign in."_sentence, account,
                        "Continue"_sentence);
}

void add_verification(api::RouteTable& routes, AddressProof& proof, Service& service,
                      const settings::Settings& settings) {
    add_request(
        routes, "/auth/resend-verification", "resendVerification",
        "Resend the confirmation link of an account; the answer is the same for every address.", api::text(254, 3),
        [&proof](const std::string& email, const std::string& address) { return proof.resend(email, address); });
    add_page(routes, "/auth/verify-email",
             "Page opened by an account's confirmation link: a form that sets the password. Changes"
             " nothing.",
             verification_form);
    routes.add({.method = api::Method::post,
                .path = "/auth/verify-email",
                .who = api::Permission::everyone(),
                .summary = "Confirm an account's address with the mailed token and set its password. Revokes earlier"
                           " sessions and application passwords; assigns bookings made with the address. The page's"
                           " form also signs in.",
                .body = link_fields(),
                .answer = api::object({{.name = "verified", .type = api::boolean(), .required = true},
                                       {.name = "already_verified",
                                        .type = api::boolean(),
                                        .help = "The address was already confirmed; the password is unchanged.",
                                        .required = true}}),
                .files = {"text/html"},
                .errors = {&errc::invalid_token, &errc::token_expired, &errc::rate_limited},
                .keeps_replay = false,
                .handle = [&proof, &service, &settings](const Request& request) -> Reply {
                    const auto use = use_of(request);
                    const auto done = use ? proof.verify(*use) : Result<AddressProof::Verified>(use.error());
                    if (sent_by_form(request))
                        return done ? verified_page(service, settings, request, *done)
                                    : failed_page(verification_form(), request, done.error());
                    if (!done)
                        return api::failed(done.error());
                    return private_answer(Value::object({{"verified", true}, {"already_verified", done->before}}));
                }});
}

void add_reset(api::RouteTable& routes, AddressProof& proof, const std::string& site_url) {
    add_request(routes, "/auth/password/forgot", "forgotPassword",
                "Mail a password reset link if the address has an account; the answer is the"
                " same for every address. At most one mail in two minutes.",
                api::email(), [&proof](const std::string& email, const std::string& address) {
                    return proof.forget_password(email, address);
                });
    add_page(routes, "/auth/password/reset",
             "Page opened by a password reset link: a form that sets a new password. Changes nothing.", reset_form);
    routes.add(
        {.method = api::Method::post,
         .path = "/auth/password/reset",
         .name = "resetPassword",
         .who = api::Permission::everyone(),
         .summary =
             "Set a new password with the mailed token, once and within an hour. Revokes sessions and application"
             " passwords, and confirms the address.",
         .body = link_fields(),
         .answer = api::object({{.name = "updated", .type = api::boolean(), .required = true}}),
         .files = {"text/html"},
         .errors = {&errc::invalid_token, &errc::token_expired, &errc::rate_limited},
         .keeps_replay = false,
         .handle = [&proof, site_url](const Request& request) -> Reply {
             const auto use = use_of(request);
             const auto done = use ? proof.reset_password(*use) : Result<void>(use.error());
             if (sent_by_form(request))
                 return done ? message_page(200, "Your password is set"_sentence,
                                            "You can now sign in with it."_sentence, site_url, "Continue"_sentence)
                             : failed_page(reset_form(), request, done.error());
             return done ? private_answer(Value::object({{"updated", true}})) : api::failed(done.error());
         }});
}

}  // namespace

void add_address_proof_routes(api::RouteTable& routes, AddressProof& proof, Service& service,
                              const settings::Settings& settings) {
    add_verification(routes, proof, service, settings);
    add_reset(routes, proof, service.options().site_url);
}

}  // namespace svc::identity
