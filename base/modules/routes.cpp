// RouteSpecs of modules.
#include "base/modules/routes.hpp"

namespace svc::modules {
namespace {

using api::Method;
using api::Permission;
using api::Reply;
using api::Request;
using json::Value;

Value to_json(const Module& module, bool enabled) {
    Value depends = Value::array();
    for (const std::string& slug : module.depends_on)
        depends.push(slug);
    return Value::object({{"slug", module.slug},
                          {"name", module.name},
                          {"description", module.description},
                          {"category", module.category},
                          {"enabled", enabled},
                          {"is_core", false},
                          {"is_premium", module.requires_pro},
                          {"is_available", true},
                          {"requires_pro", module.requires_pro},
                          {"plan", module.plan},
                          {"depends_on", std::move(depends)}});
}

Reply shown(Service& modules, const std::string& slug) {
    const Module* module = modules.find(slug);
    return module ? api::ok(to_json(*module, modules.enabled(slug))) : api::failed(errc::not_found);
}

api::Type module_type() {
    static const api::Schema schema{{"slug", api::text(60), "", true},
                                    {"name", api::text(100)},
                                    {"description", api::text(500)},
                                    {"category", api::text(60)},
                                    {"enabled", api::boolean(), "", true},
                                    {"requires_pro", api::boolean()},
                                    {"plan", api::text(30)}};
    return api::object(schema);
}

}  // namespace

void add_routes(api::RouteTable& routes, Service& modules) {
    const Permission who = Permission::can("svc_manage_modules");
    routes.add({.method = Method::get,
                .path = "/modules",
                .who = who,
                .summary = "The modules of this installation.",
                .answer = api::list(module_type()),
                .handle = [&modules](const Request&) {
                    Value items = Value::array();
                    for (const Module& module : modules.all())
                        items.push(to_json(module, modules.enabled(module.slug)));
                    return api::ok(std::move(items));
                }});
    routes.add({.method = Method::get,
                .path = "/modules/{slug}",
                .who = who,
                .summary = "One module.",
                .answer = module_type(),
                .errors = {&errc::not_found},
                .handle = [&modules](const Request& request) { return shown(modules, request.path["slug"].text()); }});
    routes.add({.method = Method::post,
                .path = "/modules/{slug}/toggle",
                .who = who,
                .summary = "Turn a module on, which makes its storage and routes, or off, which keeps its data.",
                .body = {{"enabled", api::boolean(), "Whether it is to be on.", true}},
                .answer = module_type(),
                .errors = {&errc::not_found, &errc::module_not_available},
                .handle = [&modules](const Request& request) -> Reply {
                    const std::string slug = request.path["slug"].text();
                    if (auto done = modules.toggle(slug, request.body["enabled"].boolean(), request.caller.user_id);
                        !done)
                        return api::failed(done.error());
                    return shown(modules, slug);
                }});
    routes.add({.method = Method::get,
                .path = "/modules/{slug}/settings",
                .who = who,
                .summary = "A module's settings and their schema; secrets are masked.",
                .answer = api::object({{"settings", api::map(api::anything())}, {"schema", api::anything()}}),
                .errors = {&errc::not_found},
                .handle = [&modules](const Request& request) {
                    const std::string slug = request.path["slug"].text();
                    return api::respond(modules.shown_settings(slug), [&](Value settings) {
                        return api::ok(Value::object({{"settings", std::move(settings)},
                                                      {"schema", modules.find(slug)->settings.json_schema()}}));
                    });
                }});
    routes.add(
        {.method = Method::put,
         .path = "/modules/{slug}/settings",
         .who = who,
         .summary = "Change a module's settings; unknown keys are listed, not written.",
         .answer = api::object({{"settings", api::map(api::anything())}, {"rejected_keys", api::list(api::text(100))}}),
         .errors = {&errc::not_found},
         .free_body = true,
         .handle = [&modules](const Request& request) {
             return api::respond(
                 modules.write_settings(request.path["slug"].text(), request.body, request.caller.user_id),
                 [](Service::Written written) {
                     Value rejected = Value::array();
                     for (const std::string& key : written.rejected_keys)
                         rejected.push(key);
                     return api::ok(Value::object(
                         {{"settings", std::move(written.settings)}, {"rejected_keys", std::move(rejected)}}));
                 });
         }});
}

}  // namespace svc::modules
