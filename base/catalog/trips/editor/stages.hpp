// The stages that the body of a write passes before it becomes a change of a trip.
#pragma once

#include "base/catalog/trips/editor/service.hpp"
#include "shared/api/route.hpp"

namespace svc::catalog::trips {

// The request's clean body as listeners have it; a version that was sent stays as it was.
json::Value staged_body(const Service& trips, const api::Request& request, bool fresh);

}  // namespace svc::catalog::trips
