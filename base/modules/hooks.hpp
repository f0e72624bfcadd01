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
    "svc_pro_module_settings_updated", "3.0.0", "The settings of a module were written.", {"slug"}};

inline const hooks::Filter pro_available_modules{"svc_pro_available_modules",
                                                 "3.0.0",
                                                 "The modules of the Pro edition that may be turned on: objects with "
                                                 "slug and plan. Those that are left out are shown"
                                                 " as not available; what is on already stays on.",
                                                 json::Kind::array,
                                                 {"now"}};

inline void declare_hooks(hooks::Hooks& hooks) {
    hooks.declare(module_active);
    hooks.declare(module_deactive);
    hooks.declare(pro_module_activated);
    hooks.declare(pro_module_settings_updated);
    hooks.declare(pro_available_modules);
}

}  // namespace svc::modules
