// Trips whose bookings changed without an event, as in an import: the job of TripCounts counts them again.
#pragma once

#include <span>

#include "shared/store/store.hpp"

namespace svc::booking {

void count_again(store::Transaction& tx, std::span<const std::int64_t> trip_ids);

}  // namespace svc::booking
