// The routes of modules.
#pragma once

#include "base/modules/site_modules.hpp"
#include "base/settings/values/settings.hpp"
#include "shared/api/route.hpp"

namespace svc::modules {

// `settings`: those of the site that belong to a module are its settings too.
void add_routes(api::RouteTable& routes, SiteModules& modules, store::Store& store, settings::Settings& settings);

}  // namespace svc::modules
