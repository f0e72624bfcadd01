// Trips that show something which was changed elsewhere.
#pragma once

#include <span>

#include "shared/store/store.hpp"

namespace svc::catalog::trips {

// Marks the trips that show these classifications as changed, because their answers are: memory, here and in other
// processes, can tell. Their own versions stay, as nobody has written them. Before the rows that refer to the
// classifications change or go; afterwards Service::shown().reload_changed() is due.
void touch_trips_with(store::Transaction& tx, std::span<const std::int64_t> classification_ids);

}  // namespace svc::catalog::trips
