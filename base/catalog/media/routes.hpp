// The routes of media.
#pragma once

#include "base/catalog/media/service.hpp"
#include "shared/api/route.hpp"

namespace svc::catalog::media {

// `media` outlives the table.
void add_routes(api::RouteTable& routes, Service& media);

}  // namespace svc::catalog::media
