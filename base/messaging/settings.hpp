// The settings of e-mails.
#pragma once

#include "base/platform/outbound/mail.hpp"
#include "base/settings/settings.hpp"
#include "shared/hooks/hooks.hpp"

namespace svc::messaging {

// `hooks` outlives the settings: it supplies the merge tags when a template is written.
void declare_settings(settings::Settings& settings, const hooks::Hooks& hooks);

// The mail server, nothing while smtp_enabled is off or no host is named.
std::optional<outbound::SmtpSettings> smtp_server(const settings::Settings& settings, const outbound::Allowed& allowed);

}  // namespace svc::messaging
