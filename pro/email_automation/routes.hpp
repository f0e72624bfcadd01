// The routes of e-mail automation.
#pragma once

#include "pro/email_automation/sequence.hpp"
#include "pro/email_automation/templates.hpp"

namespace svc::pro::email_automation {

void add_template_routes(const Site& site, Templates& templates);
void add_action_routes(const Site& site, Templates& templates);  // of templates: preview, test, duplicate, override, …
void add_sequence_routes(const Site& site, Templates& templates);
void add_log_routes(const Site& site);
void add_suppression_routes(const Site& site);

// Who may: manage_svc, or svc_manage_email_automation.
api::Permission who_may();
// A route of the module for them.
api::RouteSpec route(api::Method method, std::string path, std::string summary);

}  // namespace svc::pro::email_automation
