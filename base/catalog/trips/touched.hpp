// Trips that show something which was changed elsewhere.
#pragma once

#include <span>

#include "shared/store/store.hpp"

namespace svc::catalog::trips {

// Marks the trips that show these classifications as changed, because their answers are: memory, here and in other
// processes, can tell. Their own versions stay, as nobody has written them. Before the rows that refer to the
// classifications change or go; afterwards Service::shown().reload_changed() is due.
void touch_trips_with(store::Transaction& tx, std::span<const std::int64_t> classification_ids);

// The same of the trips that show this picture in their gallery or in front.
void touch_trips_showing(store::Transaction& tx, std::int64_t media_id);

}  // namespace svc::catalog::trips
