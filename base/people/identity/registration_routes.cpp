// The route by which customers make themselves an account.
#include "base/people/identity/registration.hpp"
#include "shared/api/keeping.hpp"
#include "shared/core/person_name.hpp"

namespace svc::identity {
namespace {

using api::Reply;
using api::Request;
using json::Value;

Reply private_ok(Value data, int status) {
    Reply reply = api::ok(std::move(data));
    reply.status = status;
    reply.headers.emplace_back("Cache-Control", "no-store");
    return reply;
}

// Reported together with the schema's errors.
std::vector<FieldError> faults_of(const Request& request) {
    std::vector<FieldError> faults;
    const auto note = [&](const Result<void>& good) {
        if (!good)
            faults.insert(faults.end(), good.error().fields().begin(), good.error().fields().end());
    };
    for (const char* name : {"first_name", "last_name"})
        note(check_person_name(name, request.body.text_or(name)));
    const auto password = request.body.maybe_text("password"), again = request.body.maybe_text("confirm_password");
    if (!password)
        return faults;
    const auto good = Accounts::check_password(*password);
    note(good);
    if (good && again && *password != *again)
        faults.push_back({"confirm_password", "The passwords do not match."_sentence});
    return faults;
}

Reply registered(Registration& registration, const Request& request) {
    const Value& body = request.body;
    if (const auto faults = faults_of(request); !faults.empty())
        return api::failed(invalid(faults.front().field, faults.front().sentence));
    Reply reply = private_ok(Value::object({{"user_id", Value()}, {"require_verification", true}}), 201);
    const api::StoreReply keeping(request, reply);
    SVC_RETURN_IF_ERROR(registration.admit(body.text_or("recaptcha_token"), request.address));
    const auto added = registration.add({.first_name = body["first_name"].text(),
                                         .last_name = body.text_or("last_name"),
                                         .email = body["email"].text(),
                                         .phone = body.text_or("phone"),
                                         .password = body.text_or("password")});
    return added ? std::move(reply) : api::failed(added.error());
}

}  // namespace

void add_registration_routes(api::RouteTable& routes, Registration& registration) {
    routes.add(
        {.method = api::Method::post,
         .path = "/auth/register",
         .who = api::Permission::everyone(),
         .summary = "Create a customer account; the address is confirmed by a mailed link, whose recipient sets the"
                    " password.",
         .body =
             {{.name = "first_name", .type = api::text(100, 1), .required = true},
              {.name = "last_name", .type = api::text(100), .help = "Empty for a person with one name."},
              {.name = "email", .type = api::email(), .help = "The link is sent to this address.", .required = true},
              {.name = "phone", .type = api::text(50)},
              {.name = "password",
               .type = api::raw_text(1024),
               .help = "Optional, checked and not stored: the page of the mailed link sets the password."},
              {.name = "confirm_password", .type = api::raw_text(1024), .help = "The password repeated; optional."},
              {.name = "recaptcha_token",
               .type = api::raw_text(4096),
               .help = "reCAPTCHA token, if registration is protected."}},
         .answer = api::object(
             {{.name = "user_id",
               .type = api::id().or_null(),
               .help = "Always null: the answer does not reveal whether the address already has an account."},
              {.name = "require_verification",
               .type = api::boolean(),
               .help = "Always true: sign-in is possible after the address is confirmed.",
               .required = true}}),
         .success = 201,
         .errors = {&errc::registration_disabled, &errc::recaptcha_failed, &errc::rate_limited},
         .stores_reply = true,
         .handle = [&registration](const Request& request) { return registered(registration, request); },
         .rules = faults_of,
         .beside = {{"confirm_password", "password"}}});
}

}  // namespace svc::identity
