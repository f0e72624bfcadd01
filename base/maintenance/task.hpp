// Tasks: long work that the operator starts and watches, such as exports and imports (spec 4.11; routes 17.1 to 17.6,
// where they are called jobs).
#pragma once

#include "shared/record/record.hpp"

namespace svc::maintenance {

enum class TaskStatus : std::uint8_t { pending, running, completed, failed, cancelled };
inline constexpr std::string_view task_statuses[] = {"pending", "running", "completed", "failed", "cancelled"};
enum class TaskType : std::uint8_t { export_, import, migrate };
inline constexpr std::string_view task_types[] = {"export", "import", "migrate"};

inline constexpr ErrorCode job_not_ready{"job_not_ready", 409,
                                         "This job is not over yet. Ask for its file once it is completed."};

struct Task {
    std::int64_t id = 0;
    std::string key = {};  // "export_5f0c…": its id on the wire
    TaskType type = TaskType::export_;
    TaskStatus status = TaskStatus::pending;
    std::vector<std::string> data_types = {};
    std::optional<std::int64_t> user_id = {};
    json::Value options = json::Value::object();  // the options of the request
    json::Value state = json::Value::object();    // where to go on
    json::Value stats = json::Value::object();    // {type: {total, imported, failed, …}}
    std::int64_t total = 0, processed = 0, errors = 0;
    bool cancel_requested = false;
    std::string result_file = {}, errors_file = {};  // names in the folder of tasks; empty: none
    std::optional<std::string> error = {};
    Instant created_at = {};
    std::optional<Instant> started_at = {}, completed_at = {};

    [[nodiscard]] bool is_over() const { return status != TaskStatus::pending && status != TaskStatus::running; }
    [[nodiscard]] std::int64_t percent() const;  // 0 to 100; 100 only of a completed one
};

const record::Record<Task>& task_record();

}  // namespace svc::maintenance
