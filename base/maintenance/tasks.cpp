// Claims tasks, runs their steps, ends them.
#include "base/maintenance/tasks.hpp"

#include <filesystem>
#include <future>
#include <sys/resource.h>
#include <thread>

#include "shared/core/correlation.hpp"
#include "shared/core/log.hpp"
#include "shared/store/behind.hpp"

namespace svc::maintenance {
namespace {

constexpr const char* job_name = "tasks";
constexpr int file_days = 7, row_days = 30;
// Of the working thread: next to visitors it has a tenth of a core where cores are scarce, and all of an idle one.
constexpr int niceness = 10;
// Between steps: writers of other processes look every two milliseconds whether SQLite's file is free.
constexpr auto pause = std::chrono::milliseconds(2);

const std::string& open_statement() {
    static const std::string sql =
        task_record().select("WHERE r.status IN ('pending', 'running') ORDER BY r.id LIMIT 1");
    return sql;
}

const std::string& key_statement() {
    static const std::string sql = task_record().select("WHERE r.task_key = :key");
    return sql;
}

void remove_file(const std::string& path) {
    std::error_code ignored;
    std::filesystem::remove_all(path, ignored);
}

}  // namespace

Tasks::Tasks(const Site& site)
    : site_(site), folder_((std::filesystem::path(site.installation.media_folder).parent_path() / "tasks").string()) {}

void Tasks::prepare_folder() const {
    std::filesystem::create_directories(folder_);
    std::filesystem::permissions(folder_, std::filesystem::perms::owner_all);  // they hold personal data
}

void Tasks::add_jobs() {
    site_.jobs.add({.name = job_name,
                    .help = "Runs exports, imports and migrations that staff started, one after the other.",
                    .every = std::chrono::minutes(1),
                    .run = [this](Instant) { return run(); }});
    site_.housekeeping.add("tasks",
                           [this](store::Transaction& tx, Instant now, int most) { return expire(tx, now, most); });
}

std::string Tasks::fresh_key(TaskType type) {
    return std::string(task_types[static_cast<std::size_t>(type)]) + "_" + crypto::hex(crypto::random_bytes(12));
}

Task Tasks::begin(store::Transaction& tx, Task task) const {
    if (task.key.empty())
        task.key = fresh_key(task.type);
    task_record().insert(tx, task, {.user_id = task.user_id, .now = site_.clock.now()});
    tx.after_commit([this] { site_.jobs.wake(job_name); });
    return task;
}

void Tasks::save(store::Transaction& tx, const Task& task) const {
    Task written = task;
    task_record().update(tx, written, {.user_id = task.user_id, .now = site_.clock.now()});
}

std::optional<Task> Tasks::find(const std::string& key) const {
    return site_.store.reading<std::optional<Task>>([&](store::Session& session) {
        return task_record().first(session, key_statement(), {{"key", key}});
    });
}

bool Tasks::is_open(store::Session& session, TaskType type) const {
    return session.number("SELECT COUNT(*) FROM svc_tasks WHERE type = :type AND status IN ('pending', 'running')",
                          {{"type", task_types[static_cast<std::size_t>(type)]}}) > 0;
}

bool Tasks::cancel(const std::string& key) const {
    const auto requested = site_.store.transact<bool>([&](store::Transaction& tx) -> Result<bool> {
        return tx.run(
                   "UPDATE svc_tasks SET cancel_requested = 1 WHERE task_key = :key AND status IN ('pending',"
                   " 'running')",
                   {{"key", key}}) > 0;
    });
    if (!requested || !*requested)
        return false;
    site_.jobs.wake(job_name);
    return true;
}

Result<bool> Tasks::remove(const Task& task) const {
    bool had_file = false;
    for (const std::string* file : {&task.result_file, &task.errors_file})
        if (!file->empty()) {
            had_file = had_file || std::filesystem::exists(path_of(*file));
            remove_file(path_of(*file));
        }
    auto removed = site_.store.write([&](store::Transaction& tx) -> Result<void> {
        tx.run("DELETE FROM svc_tasks WHERE id = :id", {{"id", task.id}});
        return {};
    });
    if (!removed)
        return removed.error();
    return had_file;
}

std::optional<Task> Tasks::next() const {
    return site_.store.reading<std::optional<Task>>(
        [](store::Session& session) { return task_record().first(session, open_statement(), {}); });
}

bool Tasks::is_cancelled(const Task& task) const {
    return site_.store.reading<bool>([&](store::Session& session) {
        return session.number("SELECT COUNT(*) FROM svc_tasks WHERE id = :id AND cancel_requested = 0",
                              {{"id", task.id}}) == 0;
    });
}

void Tasks::end(Task& task, TaskStatus status, std::optional<std::string> error) const {
    task.status = status;
    task.error = std::move(error);
    task.completed_at = site_.clock.now();
    const auto ended = site_.store.write([&](store::Transaction& tx) -> Result<void> {
        save(tx, task);
        return {};
    });
    if (!ended)
        throw store::Unavailable(ended.error().message().english());
    if (const auto kind = kinds_.find(task.type); kind != kinds_.end() && kind->second.ended)
        kind->second.ended(task);
}

bool Tasks::run(Task& task, const Kind& kind) {
    if (task.status == TaskStatus::pending) {
        task.status = TaskStatus::running;
        task.started_at = site_.clock.now();
    }
    while (!stopping_) {
        if (is_cancelled(task)) {
            end(task, TaskStatus::cancelled, std::nullopt);
            return true;
        }
        Result<bool> more = false;
        try {
            more = kind.step(task);
        } catch (const store::Unavailable&) {
            throw;  // the job's next run resumes at this step
        } catch (const std::exception& failure) {
            more = Error{errc::internal_error}.because(failure.what());
        }
        if (!more) {
            log::error(
                "task_failed",
                {{"task", task.key}, {"problem", more.error().message().english()}, {"cause", more.error().cause()}});
            end(task, TaskStatus::failed, more.error().message().english());
            return true;
        }
        if (!*more) {
            end(task, TaskStatus::completed, std::nullopt);
            return true;
        }
        std::this_thread::sleep_for(pause);
    }
    return false;
}

Result<json::Value> Tasks::run() {
    // On its own thread: a thread that has given its priority away cannot have it back.
    return std::async(
               std::launch::async,
               [this, correlation = Correlation::current()] {
                   const Correlation of_job(correlation);
                   static_cast<void>(::setpriority(PRIO_PROCESS, 0, niceness));  // of this thread alone, on Linux
                   const store::Behind behind;
                   return run_all();
               })
        .get();
}

Result<json::Value> Tasks::run_all() {
    std::int64_t count = 0;
    prepare_folder();
    for (auto task = next(); task && !stopping_; task = next()) {
        const auto kind = kinds_.find(task->type);
        if (kind == kinds_.end())
            end(*task, TaskStatus::failed, "This edition does not know jobs of this type.");
        else if (!run(*task, kind->second))
            break;
        ++count;
    }
    return json::Value::object({{"tasks", count}});
}

std::int64_t Tasks::expire(store::Transaction& tx, Instant now, int most) const {
    std::vector<std::string> files;
    const auto before = [&](int days) { return now.minus(std::chrono::hours(24 * days)); };
    for (const auto& task : task_record().all(
             tx,
             task_record().select("WHERE r.completed_at < :before AND (r.result_file <> '' OR r.errors_file <> '')"
                                  " ORDER BY r.id LIMIT :most"),
             {{"before", before(file_days)}, {"most", most}})) {
        files.insert(files.end(), {task.result_file, task.errors_file});
        tx.run("UPDATE svc_tasks SET result_file = '', errors_file = '' WHERE id = :id", {{"id", task.id}});
    }
    tx.after_commit([this, files] {
        for (const std::string& file : files)
            if (!file.empty())
                remove_file(path_of(file));
    });
    return tx.run(
        "DELETE FROM svc_tasks WHERE id IN (SELECT id FROM svc_tasks WHERE completed_at < :before LIMIT :most)",
        {{"before", before(row_days)}, {"most", most}});
}

}  // namespace svc::maintenance
