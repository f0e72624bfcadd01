// The settings that belong to an e-mail.
#pragma once

#include <string>

#include "base/messaging/templates/templates.hpp"
#include "base/settings/values/settings.hpp"

namespace svc::messaging {

// Keys of settings; empty: the e-mail has none.
struct TemplateKeys {
    std::string switched_by, subject, body, cc, bcc;
};

// The built-in ones, which are declared with the e-mail.
TemplateKeys own_keys_of(const Template& which);
// Those in use, after svc_transactional_email_type_to_keys. A key of no setting, of a secret one or of one of another
// kind is logged, and the built-in one is used.
TemplateKeys keys_of(const Template& which, const hooks::Hooks& hooks, const settings::Settings& settings);

// The keys as the interface and the filter name them: {"switch_setting": …, "subject_setting": …, …}.
json::Value to_json(const TemplateKeys& keys);

}  // namespace svc::messaging
