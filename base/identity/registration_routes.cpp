// The routes by which customers make an account and prove their address.
#include "base/identity/registration.hpp"
#include "shared/api/keeping.hpp"

namespace svc::identity {
namespace {

using api::Reply;
using api::Request;
using json::Value;

Reply private_ok(Value data, int status = 200) {
    Reply reply = api::ok(std::move(data));
    reply.status = status;
    reply.headers.emplace_back("Cache-Control", "no-store");
    return reply;
}

// Told together with what the schema refuses.
std::vector<FieldError> faults_of(const Request& request) {
    const auto password = request.body.maybe_text("password"), again = request.body.maybe_text("confirm_password");
    if (!password)
        return {};
    if (auto good = Accounts::check_password(*password); !good)
        return good.error().fields();
    if (again && *password != *again)
        return {{"confirm_password", "The two passwords differ."}};
    return {};
}

Reply registered(Registration& registration, const settings::Settings& settings, const Request& request) {
    const Value& body = request.body;
    if (const auto faults = faults_of(request); !faults.empty())
        return api::failed(invalid(faults.front().field, faults.front().sentence));
    Reply reply = private_ok(
        Value::object({{"user_id", Value()}, {"require_verification", settings.flag("require_email_verification")}}),
        201);
    const api::Keeping keeping(request, reply);
    const auto added = registration.add({.first_name = body["first_name"].text(),
                                         .last_name = body["last_name"].text(),
                                         .email = body["email"].text(),
                                         .phone = body.text_or("phone"),
                                         .password = body["password"].text(),
                                         .recaptcha_token = body.text_or("recaptcha_token"),
                                         .address = request.address});
    return added ? std::move(reply) : api::failed(added.error());
}

}  // namespace

void add_registration_routes(api::RouteTable& routes, Registration& registration, settings::Settings& settings) {
    routes.add({.method = api::Method::post,
                .path = "/auth/register",
                .who = api::Permission::everyone(),
                .summary = "Make a customer's account; its address is proven by a mailed link.",
                .body = {{"first_name", api::text(100, 1), "", true},
                         {"last_name", api::text(100, 1), "", true},
                         {"email", api::email(), "Where the link goes.", true},
                         {"phone", api::text(50), ""},
                         {"password", api::raw_text(1024), "At least 8 characters.", true},
                         {"confirm_password", api::raw_text(1024), "The same again.", true},
                         {"recaptcha_token", api::raw_text(4096), "Where registration is protected by reCAPTCHA."}},
                .answer = api::object(
                    {{"user_id", api::id().or_null(),
                      "null: whether the address had an account already is told to the address alone."},
                     {"require_verification", api::boolean(), "Signing in works once the address is proven.", true}}),
                .success = 201,
                .errors = {&errc::registration_disabled, &errc::recaptcha_failed, &errc::rate_limited},
                .keeps_own_reply = true,
                .handle = [&registration,
                           &settings](const Request& request) { return registered(registration, settings, request); },
                .rules = faults_of,
                .beside = {{"confirm_password", "password"}}});
    routes.add({.method = api::Method::post,
                .path = "/auth/resend-verification",
                .who = api::Permission::everyone(),
                .summary = "Send the link that proves an account's address once more; the answer is the same for all.",
                .body = {{"email", api::text(254, 3), "The account's address.", true}},
                .answer = api::object({{"accepted", api::boolean(), "If a link is due, it is on its way.", true}}),
                .errors = {&errc::rate_limited},
                .keeps_own_reply = true,
                .handle = [&registration](const Request& request) -> Reply {
                    Reply reply = private_ok(Value::object({{"accepted", true}}));
                    const api::Keeping keeping(request, reply);
                    const auto sent = registration.resend(request.body["email"].text(), request.address);
                    return sent ? std::move(reply) : api::failed(sent.error());
                }});
    routes.add(
        {.method = api::Method::get,
         .path = "/auth/verify-email",
         .who = api::Permission::everyone(),
         .summary = "Prove an account's address by the mailed link; bookings made with it as a guest become its own.",
         .query = {{"token", api::raw_text(300), "Of the link.", true}},
         .answer = api::object({{"verified", api::boolean(), "", true},
                                {"already_verified", api::boolean(), "It was proven before.", true}}),
         .errors = {&errc::invalid_token, &errc::token_expired, &errc::rate_limited},
         .handle = [&registration](const Request& request) -> Reply {
             const auto proven = registration.verify(request.query["token"].text(), request.address);
             if (!proven)
                 return api::failed(proven.error());
             return private_ok(Value::object({{"verified", true}, {"already_verified", *proven}}));
         }});
}

}  // namespace svc::identity
