// The routes of downloads.
#pragma once

#include "base/catalog/downloads/service.hpp"
#include "shared/api/route.hpp"

namespace svc::catalog::downloads {

// Both outlive the table.
void add_routes(api::RouteTable& routes, Service& downloads, const media::Service& media);

}  // namespace svc::catalog::downloads
