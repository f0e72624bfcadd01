// The routes of settings.
#pragma once

#include "base/settings/site_settings.hpp"
#include "shared/api/route.hpp"

namespace svc::settings {

void add_routes(api::RouteTable& routes, SiteSettings& settings);

}  // namespace svc::settings
