// Trips that show something which was changed elsewhere.
#pragma once

#include <span>

#include "shared/store/store.hpp"

namespace svc::catalog::trips {

// The trips that show these classifications become another version, because their answers are: memory, here and in
// other processes, and whoever holds an ETag can tell. Before the rows that refer to the classifications change or go;
// afterwards Service::shown().reload_changed() is due.
void touch_trips_with(store::Transaction& tx, std::span<const std::int64_t> classification_ids);

}  // namespace svc::catalog::trips
