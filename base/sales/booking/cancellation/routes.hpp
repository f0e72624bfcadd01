// Route of the editors of cancellation terms.
#pragma once

#include "base/settings/values/settings.hpp"
#include "shared/api/route.hpp"

namespace svc::booking {

void add_cancellation_routes(api::RouteTable& routes, const settings::Settings& settings);

}  // namespace svc::booking
