// GET /license, POST /license/{activate, deactivate, check, save, evaluate}.
#include "pro/license/routes.hpp"

#include "shared/api/keeping.hpp"
#include "shared/api/named.hpp"

namespace svc::pro::license {
namespace {

const api::Schema& key_schema() {
    static const api::Schema schema{
        {.name = "license_key", .type = api::text(128), .help = "The complete licence key.", .required = true}};
    return schema;
}

const api::Schema& info_schema() {
    static const api::Schema plan{{.name = "name", .type = api::text(100)},
                                  {.name = "tier", .type = api::text(20).or_null()},
                                  {.name = "is_lifetime", .type = api::boolean()}};
    static const api::Schema schema{
        {.name = "key", .type = api::text(8), .help = "Masked: the last four characters."},
        {.name = "status", .type = api::choice({"inactive", "active", "expired", "disabled", "invalid"})},
        {.name = "last_checked", .type = api::instant().or_null()},
        {.name = "expires", .type = api::instant().or_null(), .help = "Null: does not expire."},
        {.name = "license_limit", .type = api::integer(0).or_null()},
        {.name = "site_count", .type = api::integer(0).or_null()},
        {.name = "activations_left", .type = api::integer(0).or_null()},
        {.name = "plan", .type = api::object("LicensePlan", plan)}};
    return schema;
}

const api::Schema& state_schema() {
    static const api::Schema schema{
        {.name = "code",
         .type = api::choice({"none", "evaluation", "evaluation_over", "stored", "deactivated", "active", "ending",
                              "grace", "expired", "disabled", "invalid", "unreached", "plan_lowered"}),
         .help = "What people should know first. unreached: the licence server does not answer. plan_lowered: modules"
                 " are on that the plan lacks.",
         .required = true},
        {.name = "since", .type = api::instant().or_null()},
        {.name = "until", .type = api::instant().or_null(), .help = "Its end; of grace, the end of the grace."},
        {.name = "modules",
         .type = api::list(api::text(50)),
         .help = "Of plan_lowered: slugs of the modules; they keep working.",
         .required = true}};
    return schema;
}

const api::Schema& evaluation_schema() {
    static const api::Schema schema{
        {.name = "can_begin", .type = api::boolean(), .help = "Whether it can begin: once on each database."},
        {.name = "is_running", .type = api::boolean(), .help = "Whether it allows the modules of all plans now."},
        {.name = "started_at", .type = api::instant().or_null(), .help = "Null: it has not begun."},
        {.name = "ends_at", .type = api::instant().or_null(), .help = "When its modules go off; their data stays."},
        {.name = "days_left", .type = api::integer(0, 30), .help = "A day that has begun counts as one."}};
    return schema;
}

const api::Schema& without_license_schema() {
    static const api::Schema schema{
        {.name = "modules",
         .type = api::list(api::text(50)),
         .help = "Slugs of modules that then go off, because an evaluation had turned modules on; their data stays.",
         .required = true},
        {.name = "at", .type = api::instant().or_null(), .help = "When. Null: they all stay on.", .required = true}};
    return schema;
}

// Null in a build with a licence server's key, which knows no evaluation.
json::Value evaluation_of(Service& licenses, Instant now) {
    if (!is_evaluation_build())
        return {};
    const auto found = licenses.evaluation();
    return json::Value::object({{"can_begin", licenses.can_evaluate()},
                                {"is_running", found && found->is_running(now)},
                                {"started_at", found ? json::Value(found->started_at) : json::Value()},
                                {"ends_at", found ? json::Value(found->ends_at()) : json::Value()},
                                {"days_left", found ? found->days_left(now) : 0}});
}

api::Reply info_of(const License& license, Instant now) { return api::ok(to_json(license, now)); }

using Action = std::function<Result<License>(const api::Request&)>;

api::RouteSpec action(std::string path, std::string summary, bool takes_key, bool asks_server, Action act) {
    api::RouteSpec spec{
        .method = api::Method::post, .path = std::move(path), .who = api::Permission::can("manage_options")};
    spec.summary = std::move(summary);
    spec.repeats_safely = true;  // repeating a request to the licence server is harmless
    if (takes_key)
        spec.body = key_schema();
    spec.answer = api::object("LicenseInfo", info_schema());
    spec.errors = {&invalid_license};
    if (asks_server) {
        spec.errors.insert(spec.errors.end(), {&activation_limit, &errc::upstream_error, &errc::conflict});
        spec.lane = api::Lane::provider;  // a hanging server must not block threads for visitors
    }
    spec.limit = {.burst = 20, .seconds = 600, .per = api::RateLimit::Per::credential};
    spec.handle = [act = std::move(act)](const api::Request& request) {
        return api::respond_once(
            request, [&] { return act(request); },
            [&](const License& license) { return info_of(license, request.now); });
    };
    return spec;
}

}  // namespace

void add_routes(plugin::Routes& routes, Service& licenses, const plugin::Settings& settings,
                std::function<State(Instant now)> state_now, std::function<json::Value()> modules_on) {
    api::RouteSpec read{.method = api::Method::get, .path = "/license", .who = api::Permission::can("manage_options")};
    read.summary = "Return the licence: masked key, status and terms.";
    read.answer =
        api::object({{.name = "is_pro", .type = api::boolean()},
                     {.name = "license_info", .type = api::object("LicenseInfo", info_schema())},
                     {.name = "state", .type = api::object("LicenseState", state_schema())},
                     {.name = "upgrade_url", .type = api::text(500)},
                     {.name = "evaluation",
                      .type = api::object("Evaluation", evaluation_schema()).or_null(),
                      .help = "Null: this build has a licence server's key and no evaluation."},
                     {.name = "without_license",
                      .type = api::object("WithoutLicense", without_license_schema()),
                      .help = "What happens where another key is saved or the licence is deactivated here."}});
    read.handle = [&, state_now = std::move(state_now),
                   modules_on = std::move(modules_on)](const api::Request& request) {
        const auto end = licenses.modules_end_without_license(request.now);
        return api::ok(json::Value::object(
            {{"is_pro", true},
             {"license_info", to_json(licenses.in_effect(request.now), request.now)},
             {"state", to_json(state_now(request.now))},
             {"upgrade_url", settings.get("license_upgrade_url")},
             {"evaluation", evaluation_of(licenses, request.now)},
             {"without_license", json::Value::object({{"modules", end ? modules_on() : json::Value::array()},
                                                      {"at", end ? json::Value(*end) : json::Value()}})}}));
    };
    routes.add(std::move(read));

    routes.add(action("/license/activate", "Activate this installation with a key.", true, true,
                      [&](const api::Request& request) {
                          return licenses.activate(request.body["license_key"].text(), request.now);
                      }));
    routes.add(action("/license/deactivate", "Deactivate this installation's licence.", false, true,
                      [&](const api::Request& request) { return licenses.deactivate(request.now); }));
    routes.add(action("/license/check", "Request the licence's present terms from the licence server.", false, true,
                      [&](const api::Request& request) { return licenses.check(request.now); }));
    routes.add(action(
        "/license/save", "Store a key without activating it; another key ends what the stored one allowed.", true,
        false,
        [&](const api::Request& request) { return licenses.save(request.body["license_key"].text(), request.now); }));
    auto evaluate = action("/license/evaluate", "Begin the evaluation: 30 days of all plans, once on each database.",
                           false, false, [&](const api::Request& request) { return licenses.evaluate(request.now); });
    evaluate.errors = {&no_evaluation, &evaluation_used};
    evaluate.repeats_safely = false;  // the second time is refused
    evaluate.stores_reply = true;
    routes.add(std::move(evaluate));
}

}  // namespace svc::pro::license
