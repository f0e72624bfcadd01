// Runs tasks one after the other, in steps that survive a killed process, and stores their files.
#pragma once

#include <atomic>
#include <map>

#include "base/feature/feature.hpp"
#include "base/maintenance/task.hpp"

namespace svc::maintenance {

// Any thread, any process: the job `tasks` runs in one process of the installation at a time.
class Tasks {
  public:
    // The work of a type of task. A step is short (some hundred records), and calls save() in the transaction of its
    // did, so that a step is done once however often processes die. True: there is more to do.
    struct Kind {
        std::function<Result<bool>(Task&)> step;
        std::function<void(const Task&)> ended = {};  // after the last step, with any outcome
    };

    explicit Tasks(const Site& site);

    void add(TaskType type, Kind kind) { kinds_[type] = std::move(kind); }  // [start-up]
    void add_jobs();

    // Creates it in the transaction; it starts after the commit. `task` has type, data_types, user_id and options.
    Task begin(store::Transaction& tx, Task task) const;
    // A key for a task that begins; files of the task may be named after it before.
    [[nodiscard]] static std::string fresh_key(TaskType type);
    void save(store::Transaction& tx, const Task& task) const;
    [[nodiscard]] std::optional<Task> find(const std::string& key) const;
    // Another unfinished task of that type, if there is one.
    [[nodiscard]] bool is_open(store::Session& session, TaskType type) const;
    // Cancels an unfinished task after its current step. False without one.
    bool cancel(const std::string& key) const;
    // Of one that is over: the row and its files.
    Result<bool> remove(const Task& task) const;

    // Runs open tasks until none is left, the process stops or the database is unavailable. The job's work.
    Result<json::Value> run();
    void stop() { stopping_ = true; }

    // Where a task's file is; the folder exists.
    [[nodiscard]] std::string path_of(const std::string& file) const { return folder_ + "/" + file; }
    void prepare_folder() const;

  private:
    Result<json::Value> run_all();
    [[nodiscard]] std::optional<Task> next() const;
    // False: the process stops.
    bool run(Task& task, const Kind& kind);
    void end(Task& task, TaskStatus status, std::optional<std::string> error) const;
    [[nodiscard]] bool is_cancelled(const Task& task) const;
    std::int64_t expire(store::Transaction& tx, Instant now, int most) const;

    const Site& site_;
    const std::string folder_;
    std::map<TaskType, Kind> kinds_;
    std::atomic<bool> stopping_ = false;
};

}  // namespace svc::maintenance
