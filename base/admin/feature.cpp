// GET /admin/start.
#include "base/admin/feature.hpp"

#include "base/admin/hooks.hpp"
#include "shared/api/named.hpp"

namespace svc::admin {
namespace {

using json::Value;

// A path on this server: "/files/module.js", and not "//elsewhere.example/module.js".
bool is_own_path(std::string_view path) {
    return path.size() > 1 && path[0] == '/' && path[1] != '/' && path.find('\\') == std::string_view::npos;
}

Value own_assets(const Value& answer, const std::function<bool(std::string_view)>& module_enabled) {
    Value assets = Value::object();
    for (const auto& [module, paths] : answer.members()) {
        if (!module_enabled(module) || !paths.is_array())
            continue;
        Value own = Value::array();
        for (const Value& path : paths.items())
            if (path.is_string() && is_own_path(path.text()))
                own.push(path.text());
        assets.set(module, std::move(own));
    }
    return assets;
}

}  // namespace

void Feature::declare() { declare_hooks(site_.hooks); }

Value Feature::start_data(std::int64_t user_id) const {
    const bool is_new = site_.settings.text("company_name").empty();
    return Value::object(
        {{"setup_wizard", site_.hooks.apply(enable_setup_wizard, Value(is_new), {}).boolean()},
         {"data", site_.hooks.apply(localized_data, Value::object(), {user_id, site_.clock.now()})},
         {"module_assets", own_assets(site_.hooks.apply(module_assets, Value::object(), {}), site_.module_enabled)}});
}

void Feature::add_routes() {
    const api::Schema started{
        {.name = "setup_wizard", .type = api::boolean(), .help = "Whether to show the first steps.", .required = true},
        {.name = "data", .type = api::map(api::anything()), .help = "Data of modules for the admin.", .required = true},
        {.name = "module_assets",
         .type = api::map(api::list(api::text(500), 100)),
         .help = "Scripts and style sheets by module.",
         .required = true}};
    site_.routes.add(
        {.method = api::Method::get,
         .path = "/admin/start",
         .who = api::Permission::can("svc_access_admin"),
         .summary = "Return the data that the admin loads first.",
         .answer = api::object("AdminStart", started),
         .handle = [this](const api::Request& request) { return api::ok(start_data(request.caller.user_id)); }});
}

}  // namespace svc::admin
