// Samples make room: a slug that a sample has is free for a record of the operator's own that an import or a migration
// brings.
#pragma once

#include <string>

#include "shared/store/store.hpp"

namespace svc::samples {

// Both give the sample another slug. Nothing happens where the slug belongs to no sample.
void free_slug_of_class(store::Transaction& tx, const std::string& type, const std::string& slug);
// The sample itself, which an export brings back, has its own title.
void free_slug_of_trip(store::Transaction& tx, const std::string& slug, const std::string& title);

}  // namespace svc::samples
