// Sign in, sign out, a fresh nonce; list, make and revoke application passwords.
#include "base/people/identity/routes.hpp"

#include "base/people/identity/proven.hpp"
#include "shared/api/keeping.hpp"
#include "shared/api/named.hpp"

namespace svc::identity {
namespace {

json::Value to_json(const ApplicationPassword& password) {
    return json::Value::object({{"id", password.id},
                                {"name", password.name},
                                {"created_at", password.created_at},
                                {"last_used_at", password.last_used_at},
                                {"last_address", password.last_address}});
}

api::Reply made_reply(const NewApplicationPassword& created) {
    return api::created(json::Value::object({{"id", created.id},
                                             {"name", created.name},
                                             {"password", created.password},
                                             {"created_at", created.created_at}}),
                        "/auth/application-passwords/" + std::to_string(created.id));
}

api::Reply sign_in(Service& service, const api::Request& request) {
    const SignIn attempt{.username = request.body["username"].text(),
                         .password = request.body["password"].text(),
                         .remember = request.body["remember"].boolean(),
                         .address = request.address,
                         .user_agent = std::string(request.header("User-Agent")),
                         .present_token = session_cookie(request.header("Cookie"), service.options().cookie_secure)};
    return api::respond(service.sign_in(attempt), [&](const SignedIn& in) {
        auto reply = api::ok(json::Value::object({{"user_id", in.user_id},
                                                  {"nonce", in.nonce.text},
                                                  {"expires_at", in.nonce.expires_at},
                                                  {"redirect_url", in.redirect_url}}));
        reply.headers.emplace_back("Set-Cookie",
                                   set_session_cookie(in.token, service.options().cookie_secure, in.cookie_max_age));
        reply.headers.emplace_back("Cache-Control", "no-store");
        return reply;
    });
}

void add_session_routes(api::RouteTable& routes, Service& service) {
    routes.add({
        .method = api::Method::post,
        .path = "/auth/login",
        .who = api::Permission::everyone(),
        .summary = "Sign in; sets the session cookie and returns the nonce to send with it.",
        .body = {{.name = "username", .type = api::text(254), .help = "Login or e-mail address.", .required = true},
                 {.name = "password", .type = api::raw_text(1024), .help = "The user's password.", .required = true},
                 {.name = "remember",
                  .type = api::boolean(),
                  .help = "Stay signed in for 14 days; ignored for staff.",
                  .otherwise = json::Value(false)}},
        .answer = api::object({{.name = "user_id", .type = api::id()},
                               {.name = "nonce", .type = api::text(longest_nonce)},
                               {.name = "expires_at", .type = api::instant()},
                               {.name = "redirect_url", .type = api::text(2000)}}),
        .errors = {&errc::invalid_credentials, &errc::needs_verification, &errc::too_many_attempts},
        .keeps_replay = false,
        .handle = [&service](const api::Request& request) { return sign_in(service, request); },
    });
    routes.add({
        .method = api::Method::post,
        .path = "/auth/logout",
        .who = api::Permission::signed_in(),
        .summary = "Sign out and end the session.",
        .keeps_replay = false,
        .handle =
            [&service](const api::Request& request) {
                service.sign_out(request.caller);
                auto reply = api::ok({});
                reply.headers.emplace_back("Set-Cookie", set_session_cookie({}, service.options().cookie_secure, 0));
                return reply;
            },
    });
    routes.add({
        .method = api::Method::get,
        .path = "/auth/nonce",
        .who = api::Permission::signed_in(),
        .summary = "Return a new nonce for the session.",
        .answer = api::object(
            {{.name = "nonce", .type = api::text(longest_nonce)}, {.name = "expires_at", .type = api::instant()}}),
        .handle =
            [&service](const api::Request& request) {
                return api::respond(service.nonce(request.caller), [](const Nonce& nonce) {
                    auto reply =
                        api::ok(json::Value::object({{"nonce", nonce.text}, {"expires_at", nonce.expires_at}}));
                    reply.headers.emplace_back("Cache-Control", "no-store");
                    return reply;
                });
            },
    });
}

void add_password_routes(api::RouteTable& routes, Service& service) {
    const api::Schema listed{{.name = "id", .type = api::id()},
                             {.name = "name", .type = api::text(100)},
                             {.name = "created_at", .type = api::instant()},
                             {.name = "last_used_at", .type = api::instant().or_null()},
                             {.name = "last_address", .type = api::text(64).or_null()}};
    routes.add({
        .method = api::Method::get,
        .path = "/auth/application-passwords",
        .who = api::Permission::signed_in(),
        .summary = "List the caller's application passwords, at most fifty.",
        .answer = api::list(api::object(listed)),
        .handle =
            [&service](const api::Request& request) {
                auto list = json::array_of(service.accounts().passwords(request.caller.user_id),
                                           [&](const auto& password) { return to_json(password); });
                return api::ok(std::move(list));
            },
    });
    routes.add({
        .method = api::Method::post,
        .path = "/auth/application-passwords",
        .who = api::Permission::signed_in(),
        .summary = "Create an application password, returned only once. Requires a confirmed e-mail address.",
        .body = {{.name = "name",
                  .type = api::text(100, 1),
                  .help = "Name of the application password.",
                  .required = true}},
        .answer = api::object({{.name = "id", .type = api::id()},
                               {.name = "name", .type = api::text(100)},
                               {.name = "password", .type = api::text(24)},
                               {.name = "created_at", .type = api::instant()}}),
        .success = 201,
        .errors = {&errc::needs_verification, &errc::conflict},
        .stores_reply = true,
        .handle =
            [&service](const api::Request& request) {
                if (!is_proven(request.caller))
                    return api::failed(errc::needs_verification);
                return api::respond_once(
                    request,
                    [&] {
                        return service.accounts().add_password(request.caller.user_id, request.body["name"].text());
                    },
                    made_reply);
            },
    });
    routes.add({
        .method = api::Method::del,
        .path = "/auth/application-passwords/{id}",
        .who = api::Permission::signed_in(),
        .summary = "Revoke an application password at once.",
        .answer = api::deleted(),
        .errors = {&errc::not_found},
        .stores_reply = true,
        .handle =
            [&service](const api::Request& request) {
                const auto id = request.path_id();
                return api::respond_once(
                    request, [&] { return service.accounts().revoke_password(request.caller.user_id, id); },
                    api::deleted(id));
            },
    });
}

}  // namespace

void add_routes(api::RouteTable& routes, Service& service) {
    add_session_routes(routes, service);
    add_password_routes(routes, service);
}

}  // namespace svc::identity
