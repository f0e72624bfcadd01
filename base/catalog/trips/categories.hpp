// The trip categories that a trip is sorted into, whatever its status is.
#pragma once

#include <cstdint>
#include <vector>

#include "shared/store/store.hpp"

namespace svc::catalog::trips {

// With all above them, by id. Of published trips the memory knows them (ShownTrip::facts).
std::vector<std::int64_t> categories_of(store::Session& session, std::int64_t trip_id);

}  // namespace svc::catalog::trips
