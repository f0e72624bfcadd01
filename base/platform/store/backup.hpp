// Copies a running installation's database.
#pragma once

#include <string>

#include "base/platform/store/open.hpp"
#include "shared/core/progress.hpp"

namespace svc::store {

// A consistent copy at `path`, which must not exist yet; it appears there whole and on disk, or not at all. Readers
// and writers go on meanwhile. SQLite: a database file, checked before it appears. PostgreSQL: pg_dump's custom
// format, for pg_restore. Throws std::runtime_error with a sentence for the operator, also when it is stopped.
void backup(const StoreOptions& options, const std::string& path, Progress& progress = unwatched());

}  // namespace svc::store
