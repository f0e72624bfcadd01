// The settings of e-mails.
#pragma once

#include "base/platform/outbound/mail.hpp"
#include "base/settings/settings.hpp"

namespace svc::messaging {

void declare_settings(settings::Settings& settings);

// The mail server, nothing while smtp_enabled is off or no host is named.
std::optional<outbound::SmtpSettings> smtp_server(const settings::Settings& settings, const outbound::Allowed& allowed);

}  // namespace svc::messaging
