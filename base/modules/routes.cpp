// The list of modules, their toggles and their settings.
#include "base/modules/routes.hpp"

#include <algorithm>

#include "base/modules/repository.hpp"
#include "shared/api/named.hpp"

namespace svc::modules {
namespace {

const char* const manage = "svc_manage_modules";

using Slugs = std::set<std::string, std::less<>>;

// Dependencies of the routes.
struct Desk {
    SiteModules& modules;
    store::Store& store;
    settings::Settings& settings;
};

// Those of the site's settings that belong to the module.
std::vector<settings::Setting> of_site(const Desk& desk, std::string_view slug) {
    std::vector<settings::Setting> own = desk.settings.all();
    std::erase_if(own, [&](const settings::Setting& one) { return one.module != slug; });
    return own;
}

api::Schema schema_of(const Desk& desk, const Module& module) {
    std::vector<api::Field> fields;
    for (const api::Field& field : module.settings.fields())
        fields.push_back(field);
    for (const settings::Setting& one : of_site(desk, module.slug))
        fields.push_back(
            {.name = one.key, .type = one.type, .help = one.help, .also = one.also, .otherwise = one.initial});
    return api::Schema(std::move(fields));
}

// Search terms of the module: its category, plan and requirements.
json::Value tags_of(const Module& module) {
    auto tags = json::Value::array();
    if (!module.category.empty())
        tags.push(module.category);
    tags.push(module.requires_pro ? "pro" : "base");
    if (module.plan != "free")
        tags.push(module.plan);
    for (const auto& slug : module.depends_on)
        tags.push(slug);
    return tags;
}

json::Value to_json(const Desk& desk, const Module& module, const Slugs& available,
                    const std::map<std::string, Instant, std::less<>>& changed) {
    const SiteModules& modules = desk.modules;
    const bool has_settings = !module.settings.empty() || !of_site(desk, module.slug).empty();
    const auto at = changed.find(module.slug);
    auto depends_on = json::Value::array();
    for (const auto& slug : module.depends_on)
        depends_on.push(slug);
    return json::Value::object(
        {{"slug", module.slug},
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
         {"tags", tags_of(module)},
         {"settings_page", has_settings ? json::Value("/modules/" + module.slug + "/settings") : json::Value()},
         {"docs_url", "/docs#modules"},
         {"enabled_at", modules.enabled_at(module.slug)},
         {"updated_at", at == changed.end() ? json::Value() : json::Value(at->second)}});
}

api::Type module_type() {
    return api::object(
        "Module",
        {{.name = "slug", .type = api::text(60)},
         {.name = "name", .type = api::text(200)},
         {.name = "description", .type = api::text(1000)},
         {.name = "category", .type = api::text(60)},
         {.name = "enabled", .type = api::boolean()},
         {.name = "is_core", .type = api::boolean()},
         {.name = "is_premium", .type = api::boolean()},
         {.name = "is_available",
          .type = api::boolean(),
          .help = "Whether it can be enabled with the installed edition and plan."},
         {.name = "requires_pro", .type = api::boolean()},
         {.name = "plan",
          .type = api::choice({"free", "personal", "growth", "agency"}),
          .help = "Lowest licence plan that includes it."},
         {.name = "depends_on", .type = api::list(api::text(60))},
         {.name = "tags", .type = api::list(api::text(60)), .help = "Category, edition, plan and dependencies."},
         {.name = "settings_page", .type = api::text(200).or_null(), .help = "Route of its settings; null for none."},
         {.name = "docs_url",
          .type = api::text(200).or_null(),
          .help = "Address of its documentation, relative to the"
                  " namespace."},
         {.name = "enabled_at", .type = api::instant().or_null()},
         {.name = "updated_at",
          .type = api::instant().or_null(),
          .help = "When it was last enabled or configured; null: never."}});
}

std::map<std::string, Instant, std::less<>> changes_of(const Desk& desk) {
    return desk.store.reading<std::map<std::string, Instant, std::less<>>>(
        [](store::Session& session) { return repository::changed_at(session); });
}

api::Reply one(const Desk& desk, std::string_view slug) {
    const Module* module = desk.modules.find(slug);
    return module ? api::ok(to_json(desk, *module, desk.modules.available(), changes_of(desk)))
                  : api::failed(errc::not_found);
}

std::string slug_of(const api::Request& request) { return request.path["slug"].text(); }

// Its own values, and those of the site that belong to it.
Result<json::Value> settings_of(const Desk& desk, std::string_view slug) {
    auto values = desk.modules.shown_settings(slug);
    if (values)
        for (const settings::Setting& one : of_site(desk, slug)) {
            const json::Value value = desk.settings.get(one.key);
            values->set(one.key, one.secret ? json::Value(settings::masked(value.text())) : value);
        }
    return values;
}

api::Reply written(const Desk& desk, const api::Request& request) {
    const std::string slug = slug_of(request);
    const Module* module = desk.modules.find(slug);
    if (!module)
        return api::failed(errc::not_found);
    json::Value own = json::Value::object(), of_the_site = json::Value::object();
    const auto site = of_site(desk, slug);
    const auto is_of_site = [&](std::string_view name) {
        for (const settings::Setting& setting : site)
            if (setting.key == name || std::find(setting.also.begin(), setting.also.end(), name) != setting.also.end())
                return true;
        return false;
    };
    for (const auto& [name, value] : request.body.members())
        (is_of_site(name) ? of_the_site : own).set(name, value);
    std::vector<std::string> rejected;
    if (of_the_site.size() > 0) {
        json::Value known = json::Value::object();
        for (const auto& [name, value] : own.members())
            if (module->settings.find(name))
                known.set(name, value);
        // All or nothing: its own errors are reported before anything is written.
        SVC_RETURN_IF_ERROR(module->settings.partial().check(known));
        SVC_ASSIGN_OR_RETURN(auto done, desk.settings.write(of_the_site, request.caller.user_id));
        rejected = std::move(done.rejected_keys);
    }
    if (own.size() > 0 || of_the_site.size() == 0) {
        SVC_ASSIGN_OR_RETURN(auto done, desk.modules.write_settings(slug, own));
        rejected.insert(rejected.end(), done.rejected_keys.begin(), done.rejected_keys.end());
    }
    auto names = json::array_of(rejected, [&](auto& key) { return std::move(key); });
    return api::respond(settings_of(desk, slug), [&](json::Value values) {
        return api::ok(json::Value::object({{"settings", std::move(values)}, {"rejected_keys", std::move(names)}}));
    });
}

// One entry of a bulk request: a module, enabled or disabled.
struct Toggle {
    std::string slug;
    bool on = false;
    std::optional<Error> refused = {};
};

// As they were sent: each module once, and one of them at least is there.
Result<std::vector<Toggle>> toggles_of(const Desk& desk, const json::Value& items) {
    std::vector<Toggle> toggles;
    Slugs named;
    bool any_known = false;
    for (std::size_t i = 0; i < items.size(); ++i) {
        Toggle toggle{.slug = items[i]["slug"].text(), .on = items[i]["enabled"].boolean()};
        if (!named.insert(toggle.slug).second)
            return invalid("items." + std::to_string(i + 1) + ".slug", "This module is listed twice."_sentence);
        any_known = any_known || desk.modules.find(toggle.slug);
        toggles.push_back(std::move(toggle));
    }
    if (!any_known)
        return invalid("items", "Unknown modules."_sentence);
    return toggles;
}

// Repeats while that makes progress: a module's requirement may come after it in the list.
void toggle_all(const Desk& desk, std::vector<Toggle>& toggles, std::int64_t user_id) {
    std::vector<Toggle*> open;
    open.reserve(toggles.size());
    for (Toggle& toggle : toggles)
        open.push_back(&toggle);
    for (std::size_t before = 0; before != open.size();) {
        before = open.size();
        std::erase_if(open, [&](Toggle* toggle) {
            const auto done = desk.modules.toggle(toggle->slug, toggle->on, user_id);
            toggle->refused = done ? std::nullopt : std::optional(done.error());
            return !toggle->refused;
        });
    }
}

Slugs enabled_of(const Desk& desk) {
    Slugs slugs;
    for (const auto& module : desk.modules.all())
        if (desk.modules.enabled(module.slug))
            slugs.insert(module.slug);
    return slugs;
}

// Each by itself; modules disabled with their requirement are included.
api::Reply toggled(const Desk& desk, const api::Request& request) {
    SVC_ASSIGN_OR_RETURN(auto toggles, toggles_of(desk, request.body["items"]));
    const Slugs before = enabled_of(desk);
    toggle_all(desk, toggles, request.caller.user_id);
    Slugs changed_slugs;
    auto skipped = json::Value::array();
    const Error* blocked = nullptr;
    for (const Toggle& toggle : toggles) {
        if (!toggle.refused) {
            changed_slugs.insert(toggle.slug);
            continue;
        }
        if (!blocked && desk.modules.find(toggle.slug))
            blocked = &*toggle.refused;
        skipped.push(json::Value::object({{"slug", toggle.slug},
                                          {"reason", toggle.refused->code().name},
                                          {"message", request.say(toggle.refused->message())}}));
    }
    if (changed_slugs.empty())
        return api::failed(*blocked);
    const Slugs after = enabled_of(desk);
    auto modules = json::Value::array();
    const auto available = desk.modules.available();
    const auto changed = changes_of(desk);
    for (const auto& module : desk.modules.all())
        if (changed_slugs.contains(module.slug) || before.contains(module.slug) != after.contains(module.slug))
            modules.push(to_json(desk, module, available, changed));
    return api::ok(json::Value::object({{"modules", std::move(modules)}, {"skipped", std::move(skipped)}}));
}

void add_module_routes(api::RouteTable& routes, const Desk& desk) {
    routes.add({
        .method = api::Method::get,
        .path = "/modules",
        .who = api::Permission::can(manage),
        .summary = "List the modules and whether they are enabled.",
        .answer = api::list(module_type()),
        .handle =
            [desk](const api::Request&) {
                auto list = json::Value::array();
                const auto available = desk.modules.available();
                const auto changed = changes_of(desk);
                for (const auto& module : desk.modules.all())
                    list.push(to_json(desk, module, available, changed));
                return api::ok(std::move(list));
            },
    });
    routes.add({
        .method = api::Method::get,
        .path = "/modules/{slug}",
        .who = api::Permission::can(manage),
        .summary = "Return a module.",
        .answer = module_type(),
        .errors = {&errc::not_found},
        .handle = [desk](const api::Request& request) { return one(desk, slug_of(request)); },
    });
    routes.add({
        .method = api::Method::post,
        .path = "/modules/{slug}/toggle",
        .who = api::Permission::can(manage),
        .summary = "Enable or disable a module; enabling creates its storage, disabling keeps its data.",
        .body =
            {{.name = "enabled", .type = api::boolean(), .help = "Whether to enable or disable it.", .required = true}},
        .answer = module_type(),
        .errors = {&errc::not_found, &errc::module_not_available},
        .repeats_safely = true,
        .handle =
            [desk](const api::Request& request) {
                const auto slug = slug_of(request);
                const auto done = desk.modules.toggle(slug, request.body["enabled"].boolean(), request.caller.user_id);
                return done ? one(desk, slug) : api::failed(done.error());
            },
    });
    routes.add({
        .method = api::Method::post,
        .path = "/modules/bulk-toggle",
        .who = api::Permission::can(manage),
        .summary = "Enable or disable many modules, independently of each other.",
        .body = {{.name = "items",
                  .type = api::list(
                      api::object(
                          {{.name = "slug", .type = api::text(60, 1), .help = "The module's slug.", .required = true},
                           {.name = "enabled",
                            .type = api::boolean(),
                            .help = "Whether to enable or disable it.",
                            .required = true}}),
                      100, 1),
                  .help = "Each module once, in any order.",
                  .required = true}},
        .answer = api::object(
            {{.name = "modules",
              .type = api::list(module_type()),
              .help = "Changed modules, including those disabled with a module they depend on.",
              .required = true},
             {.name = "skipped",
              .type = api::list(api::object({{.name = "slug", .type = api::text(60), .required = true},
                                             {.name = "reason",
                                              .type = api::text(60),
                                              .help = "Code of the error for this module.",
                                              .required = true},
                                             {.name = "message", .type = api::raw_text(500), .required = true}})),
              .required = true}}),
        .errors = {&errc::module_not_available},
        .repeats_safely = true,
        .handle = [desk](const api::Request& request) { return toggled(desk, request); },
    });
}

void add_settings_routes(api::RouteTable& routes, const Desk& desk) {
    routes.add({
        .method = api::Method::get,
        .path = "/modules/{slug}/settings",
        .who = api::Permission::can(manage),
        .summary = "Return a module's settings, secrets masked, and their schema.",
        .answer = api::object({{.name = "settings", .type = api::map(api::anything())},
                               {.name = "schema", .type = api::map(api::anything())}}),
        .errors = {&errc::not_found},
        .handle =
            [desk](const api::Request& request) {
                const auto slug = slug_of(request);
                return api::respond(settings_of(desk, slug), [&](json::Value values) {
                    return api::ok(
                        json::Value::object({{"settings", std::move(values)},
                                             {"schema", schema_of(desk, *desk.modules.find(slug)).json_schema()}}));
                });
            },
    });
    routes.add({
        .method = api::Method::put,
        .path = "/modules/{slug}/settings",
        .who = api::Permission::can(manage),
        .summary = "Update a module's settings; stores nothing if a value is invalid.",
        .answer = api::object({{.name = "settings", .type = api::map(api::anything())},
                               {.name = "rejected_keys", .type = api::list(api::raw_text(64 * 1024), 10'000)}}),
        .errors = {&errc::not_found},
        .free_body = true,
        .repeats_safely = true,
        .handle = [desk](const api::Request& request) { return written(desk, request); },
    });
}

}  // namespace

void add_routes(api::RouteTable& routes, SiteModules& modules, store::Store& store, settings::Settings& settings) {
    const Desk desk{modules, store, settings};
    add_module_routes(routes, desk);
    add_settings_routes(routes, desk);
}

}  // namespace svc::modules
