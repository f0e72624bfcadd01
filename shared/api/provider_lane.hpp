// The lane of routes that wait for somebody else's server: threads that nothing else needs (HttpLane::provider).
#pragma once

#include "shared/api/route.hpp"

namespace svc::api {

inline constexpr Lane provider_lane{3};

}  // namespace svc::api
