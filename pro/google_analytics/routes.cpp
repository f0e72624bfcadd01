// GET and PUT /google-analytics/settings; POST …/test, …/validate/measurement-id, …/validate/api-secret; events and
// log.
#include "pro/google_analytics/routes.hpp"

#include "pro/common/partner_address.hpp"
#include "pro/google_analytics/analytics.hpp"
#include "pro/tracking/module_routes.hpp"
#include "pro/tracking/parameters.hpp"

namespace svc::pro::google_analytics {
namespace {

using json::Value;
using tracking::tested;
namespace cause = tracking::cause;

constexpr SentenceId wrong_id =
    "A measurement id looks like G-ABC1234567. An id that begins with UA- is of the Analytics that ended in 2023."_sentence;
constexpr const char* unproven_secret =
    "Google found no fault. It never says whether it knows a secret: switch on the test mode, make a booking and look"
    " for it in DebugView.";

Result<void> check_settings(const Value& after) {
    const std::string id = after.text_or("measurement_id");
    if (!id.empty() && !tracking::is_id(tracking::google, id))
        return invalid("measurement_id", wrong_id);
    SVC_RETURN_IF_ERROR(tracking::check_parameters("custom_dimensions", after["custom_dimensions"]));
    if (!after["server_side"].boolean())
        return {};
    if (id.empty())
        return invalid("measurement_id", "Reporting from the server needs the measurement id."_sentence);
    if (after.text_or("api_secret").empty())
        return invalid("api_secret", "Reporting from the server needs an API secret."_sentence);
    return {};
}

// By Google's validation server.
Result<Value> ask(const Site& site, const std::string& id, const std::string& secret) {
    const auto reply = tracking::Reporting::fetch_of(site)(question(host_of(site), id, secret));
    if (!reply)
        return tracking::unanswered(tracking::google, reply.error());
    const auto faults = faults_in(*reply);
    if (!faults)
        return tracking::unanswered(tracking::google, "status " + std::to_string(reply->status));
    return faults->empty() ? tested(true, cause::unproven, unproven_secret) : tested(false, cause::refused, *faults);
}

api::RouteSpec validate_id_route() {
    auto spec = tracking::test_route(tracking::google, "/google-analytics/validate/measurement-id",
                                     "Check the form of a measurement id; Google tells nobody which ids exist.",
                                     {{.name = "measurement_id", .type = api::text(40), .required = true}});
    spec.lane = api::Lane::general;  // nobody is asked
    spec.handle = [](const api::Request& request) -> api::Reply {
        if (!tracking::is_id(tracking::google, request.body.text_or("measurement_id")))
            return api::ok(tested(false, cause::form, wrong_id.english));
        return api::ok(tested(true, cause::none, {}));
    };
    return spec;
}

// Both fields, given or stored.
api::RouteSpec asking_route(const Site& site, const std::string& path, std::string summary, bool is_required) {
    auto spec = tracking::test_route(tracking::google, path, std::move(summary),
                                     {{.name = "measurement_id",
                                       .type = api::text(40),
                                       .help = is_required ? "" : "Else the stored one.",
                                       .required = is_required},
                                      {.name = "api_secret",
                                       .type = api::text(200),
                                       .help = "The mask of the stored one tests that.",
                                       .required = is_required}});
    spec.handle = [&site](const api::Request& request) -> api::Reply {
        const std::string given = request.body.text_or("measurement_id"),
                          id = given.empty() ? site.settings.text(tracking::google.id_setting) : given,
                          secret = tracking::secret_of(site, tracking::google, request.body.text_or("api_secret"));
        if (!tracking::is_id(tracking::google, id))
            return api::ok(tested(false, cause::form, wrong_id.english));
        if (secret.empty())
            return api::ok(tested(false, cause::no_secret, "Enter an API secret: none is stored."));
        SVC_ASSIGN_OR_RETURN(auto answer, ask(site, id, secret));
        return api::ok(std::move(answer));
    };
    return spec;
}

}  // namespace

std::string host_of(const Site& site) { return partner_address(site, tracking::google.key, tracking::google.own_host); }

std::vector<tracking::SettingRow> setting_rows() {
    return {
        {"measurement_id", tracking::google.id_setting, api::text(40), "",
         "The measurement id of the web stream: G- and capitals or digits.", false},
        {"api_secret", tracking::google.secret_setting, api::text(200), "",
         "API secret of the Measurement Protocol, by which this server reports.", true},
        {"debug_mode", tracking::ga_debug_setting, api::boolean(), false,
         "Events appear in DebugView, and Google's validation server looks at each one first.", false},
        {"server_side", tracking::google.server_setting, api::boolean(), false,
         "This server reports payments, purchases and refunds besides the browser.", false},
        {"custom_dimensions", tracking::google.parameters_setting, tracking::parameters_type(), json::Value::object(),
         "What events tell besides, by the names of your custom dimensions: each tells one fact of the trip or the"
         " choice, none of a person.",
         false}};
}

void add_routes(const Site& site, tracking::Reporting& reporting) {
    tracking::add_settings_routes(site, tracking::google,
                                  {.path = "/google-analytics/settings",
                                   .component = "GoogleAnalyticsSettings",
                                   .title = "Google Analytics",
                                   .rows = setting_rows(),
                                   .check = check_settings,
                                   .saved = [&reporting](store::Transaction& tx) { reporting.settings_changed(tx); }});
    site.routes.add(asking_route(site, "/google-analytics/test",
                                 "Check id and secret by Google's validation server; without fields those that are"
                                 " stored.",
                                 false));
    site.routes.add(validate_id_route());
    site.routes.add(asking_route(site, "/google-analytics/validate/api-secret",
                                 "Check a secret by Google's validation server.", true));
    tracking::add_event_routes(site, tracking::google, "/google-analytics/events", "/google-analytics/logs");
}

}  // namespace svc::pro::google_analytics
