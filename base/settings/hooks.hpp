// What listeners may make of settings as they are told and stored.
#pragma once

#include <array>

#include "shared/hooks/hooks.hpp"

namespace svc::settings {

inline const hooks::Filter sanitize_setting{"svc_sanitize_setting",
                                            "3.0.0",
                                            "A value that passed its check and is about to be stored, but for secrets; "
                                            "an answer that does not pass is not used.",
                                            json::Kind::null,
                                            {"key"}};
inline const hooks::Filter rest_settings{
    "svc_rest_settings",
    "3.0.0",
    "The settings as /settings tells them, secrets masked: members may be added, changed and left out.",
    json::Kind::object,
    {"group"}};

inline const hooks::Filter default_fields{
    "svc_settings_default_fields",
    "3.0.0",
    "What settings are while nobody has set them, but for secrets, by their keys; an answer that could not be stored"
    " leaves the default as it is. Asked whenever settings are read, as a server starts and after each write.",
    json::Kind::object,
    {}};

// Of one module's settings: as they are told, and those that are about to be stored.
inline const hooks::Filter get_flexible{"svc_get_flexible_payment_settings",
                                        "3.0.0",
                                        "The settings of deposits and part payments, as /settings tells them.",
                                        json::Kind::object,
                                        {}};
inline const hooks::Filter save_flexible{
    "svc_save_flexible_payment_settings",
    "3.0.0",
    "Those of the settings of deposits and part payments that were sent and passed their checks. Members of the answer"
    " are checked again; one that is left out is not stored.",
    json::Kind::object,
    {}};
inline const hooks::Filter get_scheduled{"svc_get_scheduled_payment_settings",
                                         "3.0.0",
                                         "The same as svc_get_flexible_payment_settings, of scheduled payments.",
                                         json::Kind::object,
                                         {}};
inline const hooks::Filter save_scheduled{"svc_save_scheduled_payment_settings",
                                          "3.0.0",
                                          "The same as svc_save_flexible_payment_settings, of scheduled payments.",
                                          json::Kind::object,
                                          {}};

struct ModuleFilters {
    std::string_view module;
    const hooks::Filter& told;
    const hooks::Filter& stored;
};
inline const std::array<ModuleFilters, 2> module_filters{
    {{"flexible_payments", get_flexible, save_flexible}, {"scheduled_payments", get_scheduled, save_scheduled}}};

inline void declare_hooks(hooks::Hooks& hooks) {
    for (const hooks::Filter& filter :
         {sanitize_setting, rest_settings, default_fields, get_flexible, save_flexible, get_scheduled, save_scheduled})
        hooks.declare(filter);
}

}  // namespace svc::settings
