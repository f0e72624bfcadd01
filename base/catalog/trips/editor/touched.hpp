// Trips that show something which was changed elsewhere.
#pragma once

#include <span>

#include "shared/store/store.hpp"

namespace svc::catalog::trips {

// Marks trips with these classifications as changed, since their JSON changes: caches in all processes notice it. The
// trips' own versions stay. Call it before the referring rows change or are deleted, and
// Service::public_trips().reload_changed() afterwards.
void touch_trips_with(store::Transaction& tx, std::span<const std::int64_t> classification_ids);

// The same of the trips that show this picture in their gallery or in front.
void touch_trips_showing(store::Transaction& tx, std::int64_t media_id);

}  // namespace svc::catalog::trips
