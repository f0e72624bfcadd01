// The routes and settings of the module facebook_pixel.
#pragma once

#include "pro/tracking/reporting.hpp"
#include "pro/tracking/settings.hpp"

namespace svc::pro::facebook_pixel {

std::vector<tracking::SettingRow> setting_rows();
void add_routes(const Site& site, tracking::Reporting& reporting);

// Of the Graph API, the operator's address for tests included.
std::string host_of(const Site& site);

}  // namespace svc::pro::facebook_pixel
