// The operator's export, import and restore: whole databases by themselves, records as the jobs that staff start.
#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <thread>

#include "base/app/assembly.hpp"
#include "base/app/key_mark.hpp"
#include "base/data/import_export/table_map.hpp"
#include "base/data/import_export/whole.hpp"
#include "base/platform/archives/archives.hpp"
#include "base/platform/csv/csv.hpp"
#include "base/platform/files/files.hpp"
#include "base/platform/store/backup.hpp"
#include "base/platform/store/migrate.hpp"
#include "base/platform/store/restore.hpp"
#include "shared/core/log.hpp"

namespace svc::commands {
namespace {

namespace fs = std::filesystem;
using json::Value;
using maintenance::Task;
using maintenance::TaskStatus;
using maintenance::TaskType;

[[noreturn]] void refuse(const std::string& sentence) { throw std::runtime_error(sentence); }

// A digest of a file's content, in pieces: the same content has the same one.
std::string mark_of(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    std::string mark, piece(1 << 20, '\0');
    while (file.read(piece.data(), static_cast<std::streamsize>(piece.size())), file.gcount() > 0)
        mark = crypto::sha256_hex(mark + std::string(piece.data(), static_cast<std::size_t>(file.gcount())));
    return mark;
}

// Copies the file, so that all tables are of one moment and no writer waits.
void export_sqlite(const BaseOptions& options, const std::string& folder, import_export::WholeSource source,
                   Progress& progress) {
    const std::string copy = folder + "/copy.db";
    std::error_code ignored;
    for (const char* tail : {"", "-wal", "-shm", "-journal"})
        fs::remove(copy + tail, ignored);
    try {
        store::backup(app::store_options(options), copy, progress);
    } catch (const std::exception&) {
        if (progress.is_stopped())
            refuse("nothing was exported; the same command begins again.");
        throw;
    }
    source.mark += "/" + mark_of(copy);
    store::StoreOptions of_copy = app::store_options(options);
    of_copy.url = "sqlite:" + copy;
    of_copy.sessions = 1;
    const auto store = store::open(of_copy);
    store->read([&](store::Session& session) { import_export::export_whole(session, source, folder, progress); });
}

// One transaction that sees one moment.
void export_postgres(store::Store& store, const std::string& folder, import_export::WholeSource source,
                     Progress& progress) {
    const auto done = store.write([&](store::Transaction& tx) -> Result<void> {
        tx.run("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ", {});
        source.mark += "/" + std::to_string(tx.number(
                                 "SELECT CAST(CAST(pg_snapshot_xmax(pg_current_snapshot()) AS TEXT) AS BIGINT)", {}));
        import_export::export_whole(tx, source, folder, progress);
        return {};
    });
    if (!done)
        refuse(done.error().message().english());
}

void export_everything(const BaseOptions& options, const std::string& path, Progress& progress) {
    const std::string folder = path + ".part";
    fs::create_directories(folder);
    fs::permissions(folder, fs::perms::owner_all);
    const auto store = app::open_current(options);
    const import_export::WholeSource source{.mark = crypto::sha256_hex(options.database),
                                            .key_prefix = app::keyring_of(options, *store)->prefix(),
                                            .now = SystemClock().now()};
    if (store->dialect() == store::Dialect::sqlite)
        export_sqlite(options, folder, source, progress);
    else
        export_postgres(*store, folder, source, progress);
    import_export::pack_whole(folder, path, progress);
    files::Files(app::media_folder(options)).copy_to(path + ".media", progress);
    fs::remove_all(folder);
}

// --- everything, the other way ------------------------------------------------------------------------------------

bool has_other_editions(const Value& manifest) {
    for (const Value& step : manifest["steps"].items())
        if (step.is_string() && !step.text().starts_with("base/"))
            return true;
    return false;
}

void import_everything(const BaseOptions& options, svc_plugin_entry_fn* plugin, const std::string& path,
                       const Value& manifest, Progress& progress) {
    if (!fs::exists(options.key_file))
        refuse("The key file " + options.key_file +
               " is missing. Copy the key file of the old installation there first (mode 0400).");
    const auto keyring = crypto::Keyring::open(options.key_file);
    const std::string sealed_with = manifest.text_or("key");
    if (!keyring->any([&](const crypto::Keyring& one) { return one.prefix() == sealed_with; }))
        refuse("The key file " + options.key_file +
               " does not hold the key of the old installation: its secrets could not be opened here. Copy the old"
               " key file there first.");
    const auto open = [&] { return store::open(app::store_options(options)); };
    {
        const auto store = open();
        store::migrate(*store, "base", embedded::base_steps(), SystemClock().now());
        static_cast<void>(
            app::keyring_of(options, *store));  // the present key is this database's, whatever it had while empty
        const bool goes_on = !store->reading<std::string>(import_export::moving_source).empty();
        if (!goes_on && !store->reading<bool>(import_export::is_empty_installation))
            refuse(
                "An export of everything goes into a fresh database alone, and this one holds users, trips or"
                " bookings. Create an empty one and let database.url name it.");
        if (!goes_on && plugin && has_other_editions(manifest))
            import_export::import_modules(*store, path);
    }
    if (plugin && has_other_editions(manifest) && open()->reading<std::string>(import_export::moving_source).empty())
        migrate(options, plugin);
    const auto store = open();
    import_export::import_whole(*store, path, options.data_dir + "/moving", progress);
}

// --- records, as jobs ---------------------------------------------------------------------------------------------

// A job of staff's tools that this process, or a server of the installation, works on.
class CommandTask {
  public:
    CommandTask(const BaseOptions& options, svc_plugin_entry_fn* plugin) : parts_(quiet(options)) {
        parts_.start(plugin);
        parts_.jobs.prepare();
        parts_.maintenance.tasks.prepare_folder();
    }

    // Returns the job that an earlier call of the same command started, or starts a new one. `call` distinguishes
    // commands: one with other options, or of a file that changed, starts a new job.
    Task find_or_start(TaskType type, const std::string& call, const std::function<Task()>& make) {
        auto found = parts_.store->reading<std::vector<Task>>([&](store::Session& session) {
            return maintenance::task_record().all(
                session, maintenance::task_record().select("WHERE r.status IN ('pending', 'running') ORDER BY r.id"),
                {});
        });
        for (Task& task : found)
            if (task.type == type && task.options.text_or("command") == call)
                return std::move(task);
        Task task = make();
        task.type = type;
        task.options.set("command", call);
        auto created = parts_.store->transact<Task>(
            [&](store::Transaction& tx) -> Result<Task> { return parts_.maintenance.tasks.begin(tx, task); });
        if (!created)
            refuse(created.error().message().english());
        return std::move(*created);
    }

    // Returns the job once it has ended.
    Task wait_for(const std::string& key, const char* what, Progress& progress) {
        std::atomic<bool> over = false;
        std::jthread worker([&] {
            while (!over) {
                try {
                    static_cast<void>(parts_.jobs.run_now("tasks"));  // a conflict: a server works on it
                } catch (const std::exception& failure) {
                    log::warning("job_interrupted", {{"job", "tasks"}, {"cause", failure.what()}});
                }
                for (int i = 0; i < 20 && !over; ++i)
                    std::this_thread::sleep_for(std::chrono::milliseconds(100));
            }
        });
        const Ending ending{over, parts_.maintenance.tasks};
        for (;;) {
            auto task = parts_.maintenance.tasks.find(key);
            if (!task)
                refuse("The job was deleted by somebody.");
            if (task->total > 0)
                progress.at(what, task->processed, task->total);
            if (task->is_over())
                return std::move(*task);
            if (progress.is_stopped())
                refuse("the same command goes on where it stopped, and so does a running server.");
            std::this_thread::sleep_for(std::chrono::milliseconds(200));
        }
    }

    maintenance::Tasks& tasks() { return parts_.maintenance.tasks; }
    std::shared_ptr<const import_export::TableMap> table_map() {
        return import_export::table_map(*parts_.store, parts_.hooks);
    }
    const import_export::CsvKinds& csv_kinds() { return parts_.import_export.csv_kinds(); }

  private:
    // Ends the worker after the current step, before joining it, in any case.
    struct Ending {
        ~Ending() {
            over = true;
            tasks.stop();
        }
        std::atomic<bool>& over;
        maintenance::Tasks& tasks;
    };
    static BaseOptions quiet(const BaseOptions& options) {
        BaseOptions of_command = options;
        of_command.serves = of_command.run_jobs = false;
        return of_command;
    }
    app::Assembly parts_;
};

void check_kinds(const import_export::TableMap& map, const std::vector<std::string>& kinds) {
    std::string all;
    for (const import_export::Kind& kind : map.kinds)
        all += (all.empty() ? "" : ", ") + kind.name;
    for (const std::string& kind : kinds)
        if (kind != "all" && map.parts_of({kind}).empty())
            refuse("There is no kind of record '" + kind + "'. There are: " + all + ".");
}

std::string kinds_text(const std::vector<std::string>& kinds) {
    std::string all;
    for (const std::string& kind : kinds)
        all += " " + kind;
    return all;
}

void copy_file(const std::string& from, const std::string& to) {
    std::error_code failed, ignored;
    if (!fs::copy_file(from, to, failed) || failed) {
        if (failed == std::errc::file_exists)
            refuse("There is a file at " + to + " already.");
        fs::remove(to, ignored);  // a partial copy only uses disk space
        refuse("The file " + to + " could not be written. Check the disk's free space.");
    }
    fs::permissions(to, fs::perms::owner_read | fs::perms::owner_write);
}

void export_records(const BaseOptions& options, svc_plugin_entry_fn* plugin, const std::string& path,
                    const std::vector<std::string>& kinds, Progress& progress) {
    CommandTask command(options, plugin);
    check_kinds(*command.table_map(), kinds);
    const Task started = command.find_or_start(TaskType::export_, fs::absolute(path).string() + kinds_text(kinds), [&] {
        return Task{.data_types = kinds.empty() ? std::vector<std::string>{"all"} : kinds};
    });
    const Task done = command.wait_for(started.key, "records", progress);
    if (done.status != TaskStatus::completed)
        refuse(done.error.value_or("The export was cancelled."));
    copy_file(command.tasks().path_of(done.result_file), path);
    static_cast<void>(command.tasks().remove(done));
}

std::vector<std::string> import_records(const BaseOptions& options, svc_plugin_entry_fn* plugin,
                                        const std::string& path, const ImportWish& wish, Progress& progress) {
    CommandTask command(options, plugin);
    check_kinds(*command.table_map(), wish.kinds);
    const std::string source = fs::absolute(path).string();
    const std::string call = source + kinds_text(wish.kinds) + " " + wish.mode + (wish.dry_run ? " dry run " : " ") +
                             std::to_string(fs::file_size(source)) + " " +
                             std::to_string(fs::last_write_time(source).time_since_epoch().count());
    const Task started = command.find_or_start(TaskType::import, call, [&] {
        Task task{.key = maintenance::Tasks::fresh_key(TaskType::import), .data_types = wish.kinds};
        task.options.set("mode", wish.mode);
        task.options.set("dry_run", wish.dry_run);
        std::string head(2, '\0');
        std::ifstream(path, std::ios::binary).read(head.data(), 2);
        if (head != "PK" && head.front() != '{') {
            if (wish.kinds.size() != 1 || !command.csv_kinds().named(wish.kinds.front()))
                refuse("A CSV file is imported as one kind: add --kind and one of " +
                       std::string(import_export::CsvKinds::names()) + ".");
            // Checked first, so that a huge file is not copied for nothing.
            if (auto fits = csv::check_size(source); !fits)
                refuse(fits.error().fields().front().sentence.english());
            task.options.set("csv", wish.kinds.front());
        }
        copy_file(source, command.tasks().path_of(task.key + ".upload"));
        return task;
    });
    const Task done = command.wait_for(started.key, "records", progress);
    if (done.status != TaskStatus::completed)
        refuse(done.error.value_or("The import was cancelled."));
    std::vector<std::string> lines;
    for (const auto& [kind, counts] : done.stats.members()) {
        std::string line = kind + ":";
        for (const auto& [name, count] : counts.members())
            if (count.is_number() && count.integer() > 0 && name != "imported")
                line += " " + name + " " + count.number_text();
        lines.push_back(std::move(line));
    }
    if (!done.errors_file.empty())
        lines.push_back(std::to_string(done.errors) + " records were left out; see " +
                        command.tasks().path_of(done.errors_file));
    return lines;
}

}  // namespace

void export_to(const BaseOptions& options, svc_plugin_entry_fn* plugin, const std::string& path, const ExportWish& wish,
               Progress& progress) {
    if (fs::exists(path))
        refuse("There is a file at " + path + " already.");
    if (wish.everything)
        export_everything(options, path, progress);
    else
        export_records(options, plugin, path, wish.kinds, progress);
}

std::vector<std::string> import_from(const BaseOptions& options, svc_plugin_entry_fn* plugin, const std::string& path,
                                     const ImportWish& wish, Progress& progress) {
    if (!std::ifstream(path, std::ios::binary))
        refuse("There is no file at " + path + " that can be read.");
    const Value manifest = import_export::whole_manifest(path);
    if (manifest.is_null())
        return import_records(options, plugin, path, wish, progress);
    if (wish.dry_run || !wish.kinds.empty())
        refuse("An export of everything is imported whole: without --dry-run and --kind.");
    import_everything(options, plugin, path, manifest, progress);
    std::vector<std::string> lines{"everything was imported"};
    if (fs::exists(path + ".media"))
        lines.push_back(std::to_string(files::Files(path + ".media").copy_to(app::media_folder(options), progress)) +
                        " files were copied");
    return lines;
}

std::vector<std::string> restore(const BaseOptions& options, const std::string& path, const RestoreChoice& choice,
                                 Progress& progress) {
    store::RestoreWish wish{.replaces = choice.replaces};
    if (!choice.any_key)
        wish.check_mark = [&](const std::string& mark) { app::check_mark(options, mark); };
    for (const auto& step : embedded::base_steps())
        wish.known_steps.push_back("base/" + std::string(step.name));
    const std::string backup = store::restore(app::store_options(options), path, wish, progress);
    std::vector<std::string> lines{"the database was restored"};
    if (!backup.empty())
        lines.push_back("the database that it replaces is at " + backup);
    if (fs::exists(path + ".media"))
        lines.push_back(std::to_string(files::Files(path + ".media").copy_to(app::media_folder(options), progress)) +
                        " files were copied");
    lines.emplace_back("run svc migrate, then svc doctor, before svc serve");
    return lines;
}

}  // namespace svc::commands
