// What modules tell when they are turned on and off.
#pragma once

#include "shared/hooks/hooks.hpp"

namespace svc::modules {

inline const hooks::Action module_active{
    "svc_module_active", "3.0.0", "A module was turned on; its storage exists. Not fired when it was on.", {"slug"}};
inline const hooks::Action module_deactive{
    "svc_module_deactive",
    "3.0.0",
    "A module was turned off, by hand or with one it depends on; its data stays.",
    {"slug"}};
inline const hooks::Action pro_module_activated{
    "svc_pro_module_activated", "3.0.0", "A module of the Pro edition was turned on.", {"slug"}};
inline const hooks::Action pro_module_settings_updated{
    "svc_pro_module_settings_updated",
    "3.0.0",
    "Settings of a module were written, by its own route or by /settings. Not fired when nothing was.",
    {"slug"}};

inline const hooks::Filter pro_available_modules{"svc_pro_available_modules",
                                                 "3.0.0",
                                                 "The modules of the Pro edition that may be turned on: objects with "
                                                 "slug and plan. Those that are left out are shown"
                                                 " as not available; what is on already stays on.",
                                                 json::Kind::array,
                                                 {"now"},
                                                 R"([{"slug": ""}])"};

inline const hooks::Filter is_pro_active{
    "svc_is_pro_active",
    "3.0.0",
    "Whether the Pro edition counts as there, so that its modules may be turned on; what is on already stays on.",
    json::Kind::boolean,
    {}};
inline const hooks::Filter module_enabled_status{
    "svc_module_enabled_status",
    "3.0.0",
    "Whether a module that is on counts as on: false has it behave as if it was off. Not asked of one that is off. Must"
    " not wait: it is asked of every request.",
    json::Kind::boolean,
    {"slug"}};
inline const hooks::Filter default_modules{
    "svc_default_modules",
    "3.0.0",
    "The modules that a server turns on as it starts, while nobody has ever turned one on or off: their slugs.",
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
}

}  // namespace svc::modules
