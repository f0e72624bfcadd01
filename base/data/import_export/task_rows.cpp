// One statement for every kind of import.
#include "base/data/import_export/task_rows.hpp"

namespace svc::import_export {

void note_row(store::Transaction& tx, const TaskRow& row) {
    const bool is_touched_again =
        row.outcome == Outcome::updated && row.new_id > 0 &&
        tx.number(
            "SELECT COUNT(*) FROM svc_task_rows WHERE task_id = :task AND entity = :entity AND new_id = :new AND"
            " outcome <> 'skipped'",
            {{"task", row.task_id}, {"entity", row.entity}, {"new", row.new_id}}) > 0;
    const Outcome outcome = is_touched_again ? Outcome::skipped : row.outcome;
    tx.run(
        "INSERT INTO svc_task_rows (task_id, entity, old_id, new_id, outcome, before) VALUES (:task, :entity, :old,"
        " :new, :outcome, :before) ON CONFLICT (task_id, entity, old_id) DO NOTHING",
        {{"task", row.task_id},
         {"entity", row.entity},
         {"old", row.old_id},
         {"new", row.new_id},
         {"outcome", outcome_names[static_cast<std::size_t>(outcome)]},
         {"before", is_touched_again ? std::nullopt : row.before}});
}

}  // namespace svc::import_export
