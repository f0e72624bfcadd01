// Places in a tree of classifications: where one may go, and what follows it there.
#pragma once

#include "base/catalog/classifications/classification.hpp"
#include "shared/core/result.hpp"
#include "shared/store/store.hpp"

namespace svc::catalog::classifications {

// Under row.parent_id (empty: at the top): sets row.level and, of a row that is there already, those below it. A
// parent of another type, a loop or more than five levels are refused by parent_id. Takes the tree's lock.
Result<void> place(store::Transaction& tx, Classification& row);

// The classification and all its descendants.
std::vector<std::int64_t> branch(store::Session& session, std::int64_t id);

}  // namespace svc::catalog::classifications
