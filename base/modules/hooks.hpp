// Actions of modules being enabled and disabled.
#pragma once

#include "shared/hooks/hooks.hpp"

namespace svc::modules {

inline const hooks::Action module_active{
    "svc_module_active", "A module was enabled; its storage exists. Not fired if it was already enabled.", {"slug"}};
inline const hooks::Action module_deactive{
    "svc_module_deactive",
    "A module was disabled, by hand or with a module it depends on; its data is kept.",
    {"slug"}};
inline const hooks::Action pro_module_activated{
    "svc_pro_module_activated", "A module of the Pro edition was enabled.", {"slug"}};
inline const hooks::Action pro_module_settings_updated{
    "svc_pro_module_settings_updated",
    "Settings of a module were changed, by its route or by /settings. Not fired without changes.",
    {"slug"}};

inline const hooks::Filter pro_available_modules{"svc_pro_available_modules",
                                                 "The modules of the Pro edition that can be enabled: objects with "
                                                 "slug and plan. Omitted modules are shown"
                                                 " as unavailable; enabled modules stay enabled.",
                                                 json::Kind::array,
                                                 {"now"},
                                                 R"([{"slug": ""}])"};

inline const hooks::Filter pro_modules_end{"svc_pro_modules_end",
                                           "When the enabled modules of the Pro edition go off, as an instant; empty: "
                                           "they stay on. Applied when the modules are"
                                           " read, not to each request.",
                                           json::Kind::string,
                                           {"now"}};

inline const hooks::Filter is_pro_active{
    "svc_is_pro_active",
    "Whether the Pro edition is available, so that its modules can be enabled; enabled modules stay enabled.",
    json::Kind::boolean,
    {}};
inline const hooks::Filter module_enabled_status{
    "svc_module_enabled_status",
    "Whether an enabled module is active; false makes it behave as disabled. Not applied to disabled modules. Must"
    " not block: it is applied to every request.",
    json::Kind::boolean,
    {"slug"}};
inline const hooks::Filter default_modules{"svc_default_modules",
                                           "Slugs of the modules that a server enables at its first start.",
                                           json::Kind::array,
                                           {},
                                           R"([""])"};

inline void declare_hooks(hooks::Hooks& hooks) {
    for (const auto* filter : {&is_pro_active, &module_enabled_status, &default_modules})
        hooks.declare(*filter);
    hooks.declare(module_active);
    hooks.declare(module_deactive);
    hooks.declare(pro_module_activated);
    hooks.declare(pro_module_settings_updated);
    hooks.declare(pro_available_modules);
    hooks.declare(pro_modules_end);
}

}  // namespace svc::modules
