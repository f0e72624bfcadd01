// The tables that exports and imports carry: those of the base and those that listeners add.
#pragma once

#include <memory>

#include "base/data/import_export/parts.hpp"
#include "shared/hooks/hooks.hpp"

namespace svc::import_export {

// After svc_export_import_table_map; the base's own where nobody listens. A table that cannot be carried is logged and
// left out. Called outside transactions.
std::shared_ptr<const TableMap> table_map(store::Store& store, const hooks::Hooks& hooks);

void declare_hooks(hooks::Hooks& hooks);

}  // namespace svc::import_export
