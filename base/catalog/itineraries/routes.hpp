// The routes of itineraries.
#pragma once

#include "base/catalog/itineraries/service.hpp"
#include "base/catalog/media/service.hpp"
#include "shared/api/route.hpp"

namespace svc::catalog::itineraries {

// Both outlive the table.
void add_routes(api::RouteTable& routes, Service& itineraries, const media::Service& media);

}  // namespace svc::catalog::itineraries
