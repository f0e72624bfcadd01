// Routes of notices, counters and usage reports.
#pragma once

#include "base/admin/notices/counters.hpp"
#include "base/admin/notices/notices.hpp"
#include "base/admin/notices/usage.hpp"

namespace svc::notices {

// All outlive the table.
void add_notice_routes(api::RouteTable& routes, const Notices& notices, const Counters& counters);
void add_usage_routes(api::RouteTable& routes, const Usage& usage);

}  // namespace svc::notices
