// The settings of e-mails.
#pragma once

#include <memory>

#include "base/platform/outbound/mail.hpp"
#include "base/settings/values/settings.hpp"
#include "shared/hooks/hooks.hpp"

namespace svc::messaging {

class PluginTemplates;
struct Template;
using PluginTemplatesPtr = std::shared_ptr<const PluginTemplates>;

// `hooks` outlives the settings: it supplies the merge tags when a template is written. `of_plugins` finds templates of
// plugins then; null: there are none.
void declare_settings(settings::Settings& settings, const hooks::Hooks& hooks,
                      const PluginTemplatesPtr& of_plugins = nullptr);
// Those of one template, unless they are declared. [start-up]
void declare_settings_of(const Template& which, settings::Settings& settings, const hooks::Hooks& hooks,
                         const PluginTemplatesPtr& of_plugins);

// The mail server, nothing while smtp_enabled is off or no host is named.
std::optional<outbound::SmtpSettings> smtp_server(const settings::Settings& settings, const outbound::Allowed& allowed);

}  // namespace svc::messaging
