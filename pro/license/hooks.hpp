// The hooks of the licence.
#pragma once

#include "shared/hooks/hooks.hpp"

namespace svc::pro::license {

inline const hooks::Action license_data_updated{"svc_pro_license_data_updated",
                                                "The stored licence was saved, activated, "
                                                "deactivated or checked. Not fired when the server could not be "
                                                "reached.",
                                                {"license_info"}};
inline const hooks::Filter license_store_url{
    "svc_pro_license_store_url", "The https address of the licence server.", json::Kind::string, {}};
inline const hooks::Filter license_item_id{
    "svc_pro_license_item_id", "Product name of this edition at the licence server.", json::Kind::string, {}};

inline void declare_hooks(hooks::Hooks& hooks) {
    hooks.declare(license_data_updated);
    hooks.declare(license_store_url);
    hooks.declare(license_item_id);
}

}  // namespace svc::pro::license
