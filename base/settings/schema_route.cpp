// GET /settings/schema: the description of a settings form.
#include "base/settings/routes.hpp"
#include "shared/api/meaning.hpp"
#include "shared/api/named.hpp"

namespace svc::settings {
namespace {

json::Value names_of(const std::vector<std::string>& names) { return json::array_of(names); }

}  // namespace

void add_schema_route(api::RouteTable& routes, const SiteSettings& settings,
                      const std::function<bool(std::string_view)>& module_enabled) {
    const api::Schema described{
        {.name = "key", .type = api::text(100), .required = true},
        {.name = "group", .type = api::text(60), .help = "The group of the setting.", .required = true},
        {.name = "description", .type = api::text(1000), .required = true},
        {.name = "schema",
         .type = api::map(api::anything()),
         .help = "JSON Schema of the value: type, bounds, choices.",
         .required = true},
        {.name = "default",
         .type = api::anything().or_null(),
         .help = "The default in a new installation; null for secrets.",
         .required = true},
        {.name = "is_secret",
         .type = api::boolean(),
         .help = "Returned masked; sending the masked value leaves the stored one unchanged.",
         .required = true},
        {.name = "is_read_only",
         .type = api::boolean(),
         .help = "Maintained by the server, or protected by a listener.",
         .required = true},
        {.name = "module", .type = api::text(60), .help = "The setting's module; empty: none.", .required = true},
        {.name = "also",
         .type = api::list(api::text(100), 100),
         .help = "Older keys of the same setting.",
         .required = true}};
    routes.add({.method = api::Method::get,
                .path = "/settings/schema",
                .who = api::Permission::can("svc_manage_settings"),
                .summary = "Describe every setting whose module is on: group, type, bounds, default and meaning.",
                .answer = api::list(api::object("SettingDescription", described), 10'000),
                .handle = [&settings, module_enabled](const api::Request&) {
                    auto list = json::Value::array();
                    const json::Value writable = settings.writable_of_plugins();
                    const auto is_read_only = [&](const Setting& one) {
                        return one.group == "internal" ||
                               ((one.from_plugin || !one.module.empty()) && !writable.find(one.key));
                    };
                    for (const Setting& setting : settings.all()) {
                        if (!setting.module.empty() && !module_enabled(setting.module))
                            continue;
                        json::Value schema = setting.type.json_schema();
                        api::add_meaning(setting.key, setting.type, schema);
                        list.push(json::Value::object({{"key", setting.key},
                                                       {"group", setting.group},
                                                       {"description", setting.help},
                                                       {"schema", std::move(schema)},
                                                       {"default", setting.secret ? json::Value() : setting.initial},
                                                       {"is_secret", setting.secret},
                                                       {"is_read_only", is_read_only(setting)},
                                                       {"module", setting.module},
                                                       {"also", names_of(setting.also)}}));
                    }
                    return api::ok(std::move(list));
                }});
}

}  // namespace svc::settings
