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
    const api::Schema user{{"id", api::id(), "", true},
                           {"login", api::text(60), "", true},
                           {"email", api::text(254), "", true},
                           {"email_verified", api::boolean(),
                            "Whether the e-mail address is confirmed; until then the account owns no bookings.", true},
                           {"display_name", api::text(255), "", true},
                           {"role", api::text(60), "Slug of the role.", true}};
    const api::Schema display{{"currency", api::text(3), "ISO 4217.", true},
                              {"currency_position", api::text(20), "left or right of the amount.", true},
                              {"currency_decimals", api::integer(0, 4), "", true},
                              {"decimal_separator", api::raw_text(3), "", true},
                              {"thousand_separator", api::raw_text(3), "", true},
                              {"date_format", api::text(40), "", true},
                              {"time_format", api::text(40), "", true},
                              {"timezone", api::text(64), "An IANA name.", true},
                              {"primary_color", api::text(20), "#rrggbb.", true},
                              {"logo_url", api::text(500), "Empty for none.", true},
                              {"site_name", api::text(255), "", true}};
    return api::object(
        {{"user", api::object(user), "", true},
         {"capabilities", api::list(api::text(100), 10'000), "The caller's permissions, in alphabetical order.", true},
         {"display", api::object(display), "", true}});
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
