// The routes of attributes besides those of every classification, and of what trips say about them.
#pragma once

#include "base/catalog/attributes/service.hpp"
#include "shared/api/route.hpp"

namespace svc::catalog::attributes {

void add_routes(api::RouteTable& routes, Service& attributes, classifications::Service& classifications);

}  // namespace svc::catalog::attributes
