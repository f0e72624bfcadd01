// GET /admin/today: all that the admin's first screen and its rail show, in one call.
#pragma once

#include "base/feature/site.hpp"

namespace svc::app {

// The table and the Site outlive it; every route of the parts is known when it is called.
void add_today_route(const Site& site);

}  // namespace svc::app
