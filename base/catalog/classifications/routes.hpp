// The routes of classifications: one set made for each kind, and the pickers of editors.
#pragma once

#include "base/catalog/classifications/service.hpp"
#include "shared/api/route.hpp"

namespace svc::catalog::classifications {

void add_routes(api::RouteTable& routes, Service& classifications);

}  // namespace svc::catalog::classifications
