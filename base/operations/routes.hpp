// The routes of operations.
#pragma once

#include "base/operations/samples.hpp"
#include "shared/api/route.hpp"

namespace svc::operations {

// `samples` outlives the table.
void add_routes(api::RouteTable& routes, Samples& samples);

}  // namespace svc::operations
