// The routes of documents, and their access rule.
#pragma once

#include "base/platform/limits/rate_limits.hpp"
#include "base/sales/documents/service.hpp"
#include "shared/api/route.hpp"

namespace svc::documents {

// Whether the caller is staff, the booking's owner, or its guest; see booking::Ownership.
using Owned = std::function<Result<void>(const api::Request& request, std::int64_t booking_id)>;

// `documents` and `limits` outlive the table.
void add_routes(api::RouteTable& routes, Service& documents, const Owned& owned, limits::RateLimits& limits);

}  // namespace svc::documents
