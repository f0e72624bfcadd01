// Declares the record of tasks.
#include "base/maintenance/task.hpp"

#include <algorithm>

namespace svc::maintenance {

std::int64_t Task::percent() const {
    if (status == TaskStatus::completed)
        return 100;
    return total == 0 ? 0 : std::min<std::int64_t>(99, processed * 100 / total);
}

const record::Record<Task>& task_record() {
    using namespace record;
    static const Record<Task> task{
        {.table = "svc_tasks",
         .component = "Job",
         .sorts = {{"created_at", {"r.created_at"}}},
         .default_sort = "created_at",
         .conditions = {{"type", "r.type = :type"},
                        {"active", "(r.status IN ('pending', 'running')) = (:active = 1)"},
                        {"user_id", "r.user_id = :user_id"}}},
        {column("id", &Task::id, api::id(), hidden),
         column("task_key", &Task::key, api::text(60), hidden | by_server_on_create),
         choice("type", &Task::type, task_types, by_server_on_create, "The kind of job."),
         choice("status", &Task::status, task_statuses, by_server),
         computed<Task>(
             "progress", api::integer(0, 100), [](const Task& each) { return json::Value(each.percent()); }, {}, {},
             "Percent of the records that are processed."),
         column("data_types", &Task::data_types, api::list(api::text(60), 100), by_server_on_create),
         stored("user_id", &Task::user_id, by_server_on_create),
         stored("options", &Task::options, by_server_on_create),
         stored("state", &Task::state),
         column("import_stats", &Task::stats, api::map(api::anything()), by_server | stored_as("stats"),
                "Counts by kind of record."),
         column("total_records", &Task::total, api::integer(0), by_server),
         column("processed_records", &Task::processed, api::integer(0), by_server),
         column("error_count", &Task::errors, api::integer(0), by_server),
         stored("cancel_requested", &Task::cancel_requested, by_other),
         stored("result_file", &Task::result_file),
         stored("errors_file", &Task::errors_file),
         column("error", &Task::error, api::text(1'000), by_server, "The reason for the failure."),
         column("created_at", &Task::created_at, api::instant(), by_server_on_create),
         column("started_at", &Task::started_at, api::instant(), by_server),
         column("completed_at", &Task::completed_at, api::instant(), by_server)}};
    return task;
}

}  // namespace svc::maintenance
