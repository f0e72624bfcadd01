// The filters of the admin's start data.
#pragma once

#include "shared/hooks/hooks.hpp"

namespace svc::admin {

inline const hooks::Filter localized_data{
    "svc_admin_localized_data",
    "Data for the admin's start, as returned by /admin/start; members may be added, changed and removed.",
    json::Kind::object,
    {"user_id", "now"}};
inline const hooks::Filter module_assets{
    "svc_module_assets",
    "Scripts and style sheets of modules for the admin: lists of paths on this server (.js, .css) by module. Those of"
    " disabled modules and those on other servers are ignored.",
    json::Kind::object,
    {}};
inline const hooks::Filter enable_setup_wizard{
    "svc_enable_setup_wizard",
    "Whether the admin leads to the first steps; by default while the company has no name.",
    json::Kind::boolean,
    {}};

inline void declare_hooks(hooks::Hooks& hooks) {
    for (const hooks::Filter* filter : {&localized_data, &module_assets, &enable_setup_wizard})
        hooks.declare(*filter);
}

}  // namespace svc::admin
