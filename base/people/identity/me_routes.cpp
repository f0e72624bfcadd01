// GET /auth/me: the signed-in user, their permissions, and the site's display settings.
#include "base/people/identity/routes.hpp"

namespace svc::identity {
namespace {

using json::Value;

// The settings that a page needs to display money, days and the site's name as everywhere else.
constexpr std::pair<const char*, const char*> display_settings[] = {
    {"currency", "currency"},
    {"currency_position", "currency_position"},
    {"currency_decimals", "currency_decimals"},
    {"decimal_separator", "decimal_separator"},
    {"thousand_separator", "thousand_separator"},
    {"date_format", "date_format"},
    {"time_format", "time_format"},
    {"timezone", "timezone"},
    {"primary_color", "frontend_primary_color"},
    {"logo_url", "company_logo"},
    {"site_name", "company_name"},
};

api::Type me_answer() {
    const api::Schema user{{.name = "id", .type = api::id(), .required = true},
                           {.name = "login", .type = api::text(60), .required = true},
                           {.name = "email", .type = api::text(254), .required = true},
                           {.name = "email_verified",
                            .type = api::boolean(),
                            .help = "Whether the e-mail address is confirmed; until then the account owns no bookings.",
                            .required = true},
                           {.name = "display_name", .type = api::text(255), .required = true},
                           {.name = "role", .type = api::text(60), .help = "Slug of the role.", .required = true}};
    const api::Schema display{
        {.name = "currency", .type = api::text(3), .help = "ISO 4217.", .required = true},
        {.name = "currency_position", .type = api::text(20), .help = "left or right of the amount.", .required = true},
        {.name = "currency_decimals", .type = api::integer(0, 4), .required = true},
        {.name = "decimal_separator", .type = api::raw_text(3), .required = true},
        {.name = "thousand_separator", .type = api::raw_text(3), .required = true},
        {.name = "date_format", .type = api::text(40), .required = true},
        {.name = "time_format", .type = api::text(40), .required = true},
        {.name = "timezone", .type = api::text(64), .help = "An IANA name.", .required = true},
        {.name = "primary_color", .type = api::text(20), .help = "#rrggbb.", .required = true},
        {.name = "logo_url", .type = api::text(500), .help = "Empty for none.", .required = true},
        {.name = "site_name", .type = api::text(255), .required = true}};
    return api::object({{.name = "user", .type = api::object(user), .required = true},
                        {.name = "capabilities",
                         .type = api::list(api::text(100), 10'000),
                         .help = "The caller's permissions, in alphabetical order.",
                         .required = true},
                        {.name = "display", .type = api::object(display), .required = true}});
}

}  // namespace

void add_me_route(api::RouteTable& routes, Service& service, const settings::Settings& settings) {
    routes.add({.method = api::Method::get,
                .path = "/auth/me",
                .who = api::Permission::signed_in(),
                .summary = "Return the caller, the caller's permissions, and how the site displays money and dates.",
                .answer = me_answer(),
                .handle = [&service, &settings](const api::Request& request) -> api::Reply {
                    const auto user = service.accounts().find(request.caller.user_id);
                    if (!user)
                        return api::failed(errc::unauthorized);
                    auto capabilities = Value::array();
                    for (const auto& name : request.caller.capabilities)
                        capabilities.push(name);
                    auto display = Value::object();
                    for (const auto& [name, key] : display_settings)
                        display.set(name, settings.get(key));
                    auto reply =
                        api::ok(Value::object({{"user", Value::object({{"id", user->id},
                                                                       {"login", user->login},
                                                                       {"email", user->email},
                                                                       {"email_verified", user->email_verified},
                                                                       {"display_name", user->display_name},
                                                                       {"role", user->role}})},
                                               {"capabilities", std::move(capabilities)},
                                               {"display", std::move(display)}}));
                    reply.headers.emplace_back("Cache-Control", "no-store");
                    return reply;
                }});
}

}  // namespace svc::identity
