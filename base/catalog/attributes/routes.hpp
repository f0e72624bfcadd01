// Routes of attributes beyond those of every classification, and of attribute values of trips.
#pragma once

#include "base/catalog/attributes/service.hpp"
#include "shared/api/route.hpp"

namespace svc::catalog::attributes {

void add_routes(api::RouteTable& routes, Service& attributes, classifications::Service& classifications);

}  // namespace svc::catalog::attributes
