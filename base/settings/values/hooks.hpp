// The filters of settings as they are shown and stored.
#pragma once

#include <array>

#include "shared/hooks/hooks.hpp"
#include "shared/plugin/pro_modules.hpp"

namespace svc::settings {

inline const hooks::Action register_rewrite_rules{
    "svc_register_rewrite_rules",
    "The addresses of pages stand: a server has started, a setting of permalinks has changed, or staff flushed them."
    " Pages follow settings at once, so this is for listeners that keep addresses of their own.",
    {}};

inline const hooks::Action setup_wizard_completed{
    "svc_setup_wizard_completed",
    "The company has been given its name in the settings, with which the first steps of a new installation end.",
    {}};

inline const hooks::Filter sanitize_setting{"svc_sanitize_setting",
                                            "A valid value before it is stored, except secrets; "
                                            "invalid results are ignored.",
                                            json::Kind::null,
                                            {"key"}};
inline const hooks::Filter rest_settings{
    "svc_rest_settings",
    "The settings as returned by /settings, secrets masked; members may be added, changed and removed.",
    json::Kind::object,
    {"group"}};

inline const hooks::Filter default_fields{
    "svc_settings_default_fields",
    "Defaults of settings by key, except secrets; invalid results"
    " are ignored. Applied whenever settings are read: at start and after each write.",
    json::Kind::object,
    {}};

// Of one module's settings: as they are shown, and before they are stored.
inline const hooks::Filter get_flexible{"svc_get_flexible_payment_settings",
                                        "The settings of deposits and part payments as returned by /settings.",
                                        json::Kind::object,
                                        {}};
inline const hooks::Filter save_flexible{"svc_save_flexible_payment_settings",
                                         "The valid settings of deposits and part payments that were sent. Results"
                                         " are validated again; omitted members are not stored.",
                                         json::Kind::object,
                                         {}};
inline const hooks::Filter get_scheduled{"svc_get_scheduled_payment_settings",
                                         "Like svc_get_flexible_payment_settings, for scheduled payments.",
                                         json::Kind::object,
                                         {}};
inline const hooks::Filter save_scheduled{"svc_save_scheduled_payment_settings",
                                          "Like svc_save_flexible_payment_settings, for scheduled payments.",
                                          json::Kind::object,
                                          {}};

// The settings of Pro, of its modules and of other plugins that the interface may write.
inline const hooks::Filter writable_schema{
    "svc_pro_writable_settings_schema",
    "The settings of modules and plugins that PUT /settings may write, each with its sanitizer: the JSON type that the"
    " setting is checked by, or `text` (control characters and surrounding spaces go), `key` (lower case letters,"
    " digits, `_` and `-` stay) or `absint` (the sign goes), each before that check. Keys that are left out are"
    " rejected; added ones are ignored unless they are declared.",
    json::Kind::object,
    {}};

struct ModuleFilters {
    std::string_view module;
    const hooks::Filter& read;
    const hooks::Filter& stored;
};
inline const std::array<ModuleFilters, 2> module_filters{
    {{plugin::slugs::flexible_payments, get_flexible, save_flexible},
     {plugin::slugs::scheduled_payments, get_scheduled, save_scheduled}}};

inline void declare_hooks(hooks::Hooks& hooks) {
    hooks.declare(register_rewrite_rules);
    hooks.declare(setup_wizard_completed);
    for (const hooks::Filter& filter : {sanitize_setting, rest_settings, default_fields, get_flexible, save_flexible,
                                        get_scheduled, save_scheduled, writable_schema})
        hooks.declare(filter);
}

}  // namespace svc::settings
