// The list of modules, their toggles and their settings.
#include "base/modules/routes.hpp"

namespace svc::modules {
namespace {

const char* const manage = "svc_manage_modules";

using Slugs = std::set<std::string, std::less<>>;

json::Value to_json(const SiteModules& modules, const Module& module, const Slugs& available) {
    auto depends_on = json::Value::array();
    for (const auto& slug : module.depends_on)
        depends_on.push(slug);
    return json::Value::object({{"slug", module.slug},
                                {"name", module.name},
                                {"description", module.description},
                                {"category", module.category},
                                {"enabled", modules.enabled(module.slug)},
                                {"is_core", false},
                                {"is_premium", module.requires_pro},
                                {"is_available", available.contains(module.slug)},
                                {"requires_pro", module.requires_pro},
                                {"plan", module.plan},
                                {"depends_on", std::move(depends_on)},
                                {"enabled_at", modules.enabled_at(module.slug)}});
}

api::Type module_type() {
    return api::object(
        {{.name = "slug", .type = api::text(60)},
         {.name = "name", .type = api::text(200)},
         {.name = "description", .type = api::text(1000)},
         {.name = "category", .type = api::text(60)},
         {.name = "enabled", .type = api::boolean()},
         {.name = "is_core", .type = api::boolean()},
         {.name = "is_premium", .type = api::boolean()},
         {.name = "is_available", .type = api::boolean(), .says = "It may be turned on: edition and plan have it."},
         {.name = "requires_pro", .type = api::boolean()},
         {.name = "plan",
          .type = api::choice({"free", "personal", "growth", "agency"}),
          .says = "The lowest plan of a licence that has it."},
         {.name = "depends_on", .type = api::list(api::text(60))},
         {.name = "enabled_at", .type = api::instant().or_null()}});
}

api::Reply one(const SiteModules& modules, std::string_view slug) {
    const Module* module = modules.find(slug);
    return module ? api::ok(to_json(modules, *module, modules.available())) : api::failed(errc::not_found);
}

std::string slug_of(const api::Request& request) { return request.path["slug"].text(); }

void add_module_routes(api::RouteTable& routes, SiteModules& modules) {
    routes.add({
        .method = api::Method::get,
        .path = "/modules",
        .who = api::Permission::can(manage),
        .summary = "List the modules and whether they are on.",
        .answer = api::list(module_type()),
        .handle =
            [&modules](const api::Request&) {
                auto list = json::Value::array();
                const auto available = modules.available();
                for (const auto& module : modules.all())
                    list.push(to_json(modules, module, available));
                return api::ok(std::move(list));
            },
    });
    routes.add({
        .method = api::Method::get,
        .path = "/modules/{slug}",
        .who = api::Permission::can(manage),
        .summary = "Read a module.",
        .answer = module_type(),
        .errors = {&errc::not_found},
        .handle = [&modules](const api::Request& request) { return one(modules, slug_of(request)); },
    });
    routes.add({
        .method = api::Method::post,
        .path = "/modules/{slug}/toggle",
        .who = api::Permission::can(manage),
        .summary = "Turn a module on or off; turning it on makes its storage, turning it off keeps its data.",
        .body = {{.name = "enabled", .type = api::boolean(), .says = "On or off.", .required = true}},
        .answer = module_type(),
        .errors = {&errc::not_found, &errc::module_not_available},
        .handle =
            [&modules](const api::Request& request) {
                const auto slug = slug_of(request);
                const auto done = modules.toggle(slug, request.body["enabled"].boolean(), request.caller.user_id);
                return done ? one(modules, slug) : api::failed(done.error());
            },
    });
}

void add_settings_routes(api::RouteTable& routes, SiteModules& modules) {
    routes.add({
        .method = api::Method::get,
        .path = "/modules/{slug}/settings",
        .who = api::Permission::can(manage),
        .summary = "Read a module's settings, secrets masked, and their schema.",
        .answer = api::object({{.name = "settings", .type = api::map(api::anything())},
                               {.name = "schema", .type = api::map(api::anything())}}),
        .errors = {&errc::not_found},
        .handle =
            [&modules](const api::Request& request) {
                const auto slug = slug_of(request);
                return api::respond(modules.shown_settings(slug), [&](json::Value values) {
                    return api::ok(json::Value::object(
                        {{"settings", std::move(values)}, {"schema", modules.find(slug)->settings.json_schema()}}));
                });
            },
    });
    routes.add({
        .method = api::Method::put,
        .path = "/modules/{slug}/settings",
        .who = api::Permission::can(manage),
        .summary = "Write a module's settings: all that are sent, or none when a value is not valid.",
        .answer = api::object({{.name = "settings", .type = api::map(api::anything())},
                               {.name = "rejected_keys", .type = api::list(api::raw_text(64 * 1024), 10'000)}}),
        .errors = {&errc::not_found},
        .free_body = true,
        .handle =
            [&modules](const api::Request& request) {
                return api::respond(
                    modules.write_settings(slug_of(request), request.body), [](SiteModules::Written written) {
                        auto rejected = json::Value::array();
                        for (auto& key : written.rejected_keys)
                            rejected.push(std::move(key));
                        return api::ok(json::Value::object(
                            {{"settings", std::move(written.settings)}, {"rejected_keys", std::move(rejected)}}));
                    });
            },
    });
}

}  // namespace

void add_routes(api::RouteTable& routes, SiteModules& modules) {
    add_module_routes(routes, modules);
    add_settings_routes(routes, modules);
}

}  // namespace svc::modules
