// GET and PUT /facebook-pixel/settings; POST /facebook-pixel/test, /facebook-pixel/test-token; events and log.
#include "pro/facebook_pixel/routes.hpp"

#include "pro/common/partner_address.hpp"
#include "pro/facebook_pixel/meta.hpp"
#include "pro/tracking/module_routes.hpp"
#include "pro/tracking/parameters.hpp"

namespace svc::pro::facebook_pixel {
namespace {

using json::Value;
using tracking::tested;
namespace cause = tracking::cause;

constexpr SentenceId wrong_id =
    "A pixel id has 6 to 20 digits and nothing else. Copy it from Meta's Events Manager."_sentence;

Result<void> check_settings(const Value& after) {
    const std::string id = after.text_or("pixel_id");
    if (!id.empty() && !tracking::is_id(tracking::meta, id))
        return invalid("pixel_id", wrong_id);
    SVC_RETURN_IF_ERROR(tracking::check_parameters("parameter_mapping", after["parameter_mapping"]));
    if (!after["server_side"].boolean())
        return {};
    if (id.empty())
        return invalid("pixel_id", "Reporting from the server needs the pixel's id."_sentence);
    if (after.text_or("access_token").empty())
        return invalid("access_token", "Reporting from the server needs an access token."_sentence);
    return {};
}

// The pixel as the token sees it.
Result<Value> try_pixel(const Site& site, const std::string& id, const std::string& token) {
    const auto reply = tracking::Reporting::fetch_of(site)(question(host_of(site), id + "?fields=id,name", token));
    if (!reply)
        return tracking::unanswered(tracking::meta, reply.error());
    if (const auto name = name_of(*reply))
        return tested(true, cause::none, {});
    if (const std::string problem = error_of(*reply); !problem.empty())
        return tested(false, cause::refused, problem);
    return tracking::unanswered(tracking::meta, "status " + std::to_string(reply->status));
}

api::RouteSpec test_route(const Site& site) {
    auto spec =
        tracking::test_route(tracking::meta, "/facebook-pixel/test",
                             "Check a pixel's id: its form, and by the access token whether Meta knows it.",
                             {{.name = "pixel_id", .type = api::text(40), .required = true},
                              {.name = "access_token", .type = api::text(1000), .help = "Else the stored one."}});
    spec.handle = [&site](const api::Request& request) -> api::Reply {
        const std::string id = request.body.text_or("pixel_id"),
                          token = tracking::secret_of(site, tracking::meta, request.body.text_or("access_token"));
        if (!tracking::is_id(tracking::meta, id))
            return api::ok(tested(false, cause::form, wrong_id.english));
        if (token.empty())
            return api::ok(tested(true, cause::no_secret,
                                  "The id has the right form. Meta says only to an access token whether it knows it."));
        SVC_ASSIGN_OR_RETURN(auto answer, try_pixel(site, id, token));
        return api::ok(std::move(answer));
    };
    return spec;
}

api::RouteSpec test_token_route(const Site& site) {
    auto spec = tracking::test_route(tracking::meta, "/facebook-pixel/test-token",
                                     "Check an access token at Meta, and whether it may report for the pixel.",
                                     {{.name = "access_token",
                                       .type = api::text(1000),
                                       .help = "The mask of the stored one tests that.",
                                       .required = true},
                                      {.name = "pixel_id", .type = api::text(40), .help = "Else the stored one."}});
    spec.handle = [&site](const api::Request& request) -> api::Reply {
        const std::string token = tracking::secret_of(site, tracking::meta, request.body.text_or("access_token")),
                          given = request.body.text_or("pixel_id"),
                          id = given.empty() ? site.settings.text(tracking::meta.id_setting) : given;
        if (token.empty())
            return api::failed(invalid("access_token", "Enter a token: none is stored."_sentence));
        const auto reply = tracking::Reporting::fetch_of(site)(question(host_of(site), "me?fields=id,name", token));
        if (!reply)
            return tracking::unanswered(tracking::meta, reply.error());
        if (const std::string problem = error_of(*reply); !problem.empty())
            return api::ok(tested(false, cause::refused, problem));
        if (!name_of(*reply))
            return tracking::unanswered(tracking::meta, "status " + std::to_string(reply->status));
        if (!tracking::is_id(tracking::meta, id))
            return api::ok(
                tested(true, cause::no_id, "Enter the pixel's id too: then the token's right to it is checked."));
        SVC_ASSIGN_OR_RETURN(auto answer, try_pixel(site, id, token));
        return api::ok(std::move(answer));
    };
    return spec;
}

}  // namespace

std::string host_of(const Site& site) { return partner_address(site, tracking::meta.key, tracking::meta.own_host); }

std::vector<tracking::SettingRow> setting_rows() {
    return {{"pixel_id", tracking::meta.id_setting, api::text(40), "", "The pixel's id, digits alone.", false},
            {"access_token", tracking::meta.secret_setting, api::text(1000), "",
             "Access token of the Conversions API, by which this server reports.", true},
            {"test_event_code", tracking::pixel_test_setting, api::text(40), "",
             "While it is set, events of this server are test events of Meta's Events Manager.", false},
            {"server_side", tracking::meta.server_setting, api::boolean(), false,
             "This server reports payments, purchases and refunds besides the browser.", false},
            {"parameter_mapping", tracking::meta.parameters_setting, tracking::parameters_type(), json::Value::object(),
             "What events tell besides, by names of your own: each tells one fact of the trip or the choice, none of a"
             " person.",
             false}};
}

void add_routes(const Site& site, tracking::Reporting& reporting) {
    tracking::add_settings_routes(site, tracking::meta,
                                  {.path = "/facebook-pixel/settings",
                                   .component = "FacebookPixelSettings",
                                   .title = "Facebook Pixel",
                                   .rows = setting_rows(),
                                   .check = check_settings,
                                   .saved = [&reporting](store::Transaction& tx) { reporting.settings_changed(tx); }});
    site.routes.add(test_route(site));
    site.routes.add(test_token_route(site));
    tracking::add_event_routes(site, tracking::meta, "/facebook-pixel/events", "/facebook-pixel/event-logs");
}

}  // namespace svc::pro::facebook_pixel
