// The routes of operations.
#pragma once

#include "base/data/samples/samples.hpp"
#include "shared/api/route.hpp"

namespace svc::samples {

// `samples` outlives the table.
void add_routes(api::RouteTable& routes, Samples& samples);

}  // namespace svc::samples
