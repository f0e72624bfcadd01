// The categories of a trip of any status.
#pragma once

#include <cstdint>
#include <vector>

#include "shared/store/store.hpp"

namespace svc::catalog::trips {

// With all their ancestors, by id. Published trips have them in memory (ShownTrip::facts).
std::vector<std::int64_t> categories_of(store::Session& session, std::int64_t trip_id);

}  // namespace svc::catalog::trips
