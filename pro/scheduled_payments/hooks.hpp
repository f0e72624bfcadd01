// The actions that the base declares of scheduled payments and this module fires.
#pragma once

#include "shared/hooks/hooks.hpp"

namespace svc::pro::scheduled_payments {

inline const hooks::Action success{.name = "svc_scheduled_payment_success", .help = {}, .arguments = {}};
inline const hooks::Action failure{.name = "svc_scheduled_payment_failed", .help = {}, .arguments = {}};
inline const hooks::Action reminder_due{.name = "svc_scheduled_payment_reminder_due", .help = {}, .arguments = {}};

}  // namespace svc::pro::scheduled_payments
