// The e-mail to staff about a connection that needs a new consent.
#pragma once

#include "pro/common/site.hpp"
#include "pro/google_calendar/google_calendar.hpp"

namespace svc::pro::google_calendar {

void declare_mails(const Site& site);
// Part of `tx`. `why`: a word of problem.
void mail_reconnect(const Site& site, store::Transaction& tx, std::string_view why, Instant now);

}  // namespace svc::pro::google_calendar
