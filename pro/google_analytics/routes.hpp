// The routes and settings of the module google_analytics.
#pragma once

#include "pro/tracking/reporting.hpp"
#include "pro/tracking/settings.hpp"

namespace svc::pro::google_analytics {

std::vector<tracking::SettingRow> setting_rows();
void add_routes(const Site& site, tracking::Reporting& reporting);

// Of the Measurement Protocol, the operator's address for tests included.
std::string host_of(const Site& site);

}  // namespace svc::pro::google_analytics
