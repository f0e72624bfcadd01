// The routes of Google Calendar.
#pragma once

#include "pro/google_calendar/sync.hpp"
#include "shared/api/route.hpp"

namespace svc::pro::google_calendar {

void add_connection_routes(const Site& site, Connection& connection, const Google& google, const Sync& sync);
void add_sync_routes(const Site& site, const Sync& sync);

// A route of the module for those who manage it.
api::RouteSpec route(api::Method method, std::string path, std::string summary);

}  // namespace svc::pro::google_calendar
