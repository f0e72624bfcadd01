// The rows that a run imported, as its undoing reads them.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/data/import_export/importing.hpp"

namespace svc::import_export {

struct TaskRow {
    std::int64_t task_id = 0;
    std::string_view entity;
    std::string old_id;  // the record's id in the file, the line of a table, or the key of a setting
    std::int64_t new_id = 0;
    Outcome outcome = Outcome::created;
    std::optional<std::string> before = {};  // of an update: the row as it was
};

// In the transaction that stores the record. A record that the run has touched before is undone by its first row alone,
// since that row holds what was there before the run.
void note_row(store::Transaction& tx, const TaskRow& row);

}  // namespace svc::import_export
