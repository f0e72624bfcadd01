// SQLite's backup the other way round and a rename; pg_restore in one transaction for PostgreSQL.
#include "base/platform/store/restore.hpp"

#include <algorithm>
#include <ctime>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <memory>
#include <stdexcept>
#include <unistd.h>

#include <sqlite3.h>

#include "base/platform/store/engine.hpp"
#include "base/platform/store/file_faults.hpp"
#include "base/platform/store/postgres_tool.hpp"
#include "shared/store/read_rows.hpp"

namespace svc::store {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse(const std::string& sentence) { throw std::runtime_error(sentence); }

constexpr const char* not_empty =
    "The database is not empty, so nothing was restored. Add --replace to replace what it holds.";
constexpr const char* in_use = "A server or another program has the database open. Stop it first.";
constexpr const char* stopped = "the database is as it was.";

struct CloseIt {
    void operator()(sqlite3* database) const { sqlite3_close_v2(database); }
};
using Handle = std::unique_ptr<sqlite3, CloseIt>;

Handle open_database(const std::string& path, int flags) {
    sqlite3* database = nullptr;
    const int code = sqlite3_open_v2(path.c_str(), &database, flags, nullptr);
    Handle handle(database);
    if (code != SQLITE_OK)
        refuse(file_fault(path, code));
    return handle;
}

// The first column of each row; no rows when the statement fails.
std::vector<std::string> texts(sqlite3* database, const char* sql) {
    std::vector<std::string> all;
    const auto take = [](void* into, int columns, char** values, char**) {
        if (columns > 0 && values[0])
            static_cast<std::vector<std::string>*>(into)->emplace_back(values[0]);
        return 0;
    };
    return sqlite3_exec(database, sql, take, &all, nullptr) == SQLITE_OK ? all : std::vector<std::string>{};
}

// Refuses when it is stopped: the check of a large file takes long.
bool is_sound(sqlite3* database, Progress& progress) {
    constexpr int instructions = 10'000;  // some milliseconds
    sqlite3_progress_handler(
        database, instructions, [](void* of) { return static_cast<Progress*>(of)->is_stopped() ? 1 : 0; }, &progress);
    const bool sound = texts(database, "PRAGMA integrity_check(1)") == std::vector<std::string>{"ok"};
    sqlite3_progress_handler(database, 0, nullptr, nullptr);
    if (progress.is_stopped())
        refuse(stopped);
    return sound;
}

std::string head_of(const std::string& path, std::size_t size) {
    std::ifstream file(path, std::ios::binary);
    if (!file)
        refuse("There is no backup at " + path + " that can be read.");
    std::string head(size, '\0');
    file.read(head.data(), static_cast<std::streamsize>(size));
    head.resize(static_cast<std::size_t>(file.gcount()));
    return head;
}

void check_steps(const std::vector<std::string>& of_backup, const std::vector<std::string>& known) {
    if (of_backup.empty())
        refuse("This is no backup of an installation: it has no list of schema steps.");
    for (const std::string& step : of_backup)
        if (step.starts_with("base/") && std::find(known.begin(), known.end(), step) == known.end())
            refuse("This backup is of a newer release (schema step " + step + "). Install that release first.");
}

constexpr const char* holds_something =
    "SELECT (SELECT COUNT(*) FROM svc_users) + (SELECT COUNT(*) FROM svc_trips) + (SELECT COUNT(*) FROM svc_customers)"
    " + (SELECT COUNT(*) FROM svc_bookings)";

// Whether it holds something; refuses while others have it open. Its log is merged when this closes it.
bool is_filled(const std::string& path) {
    const auto target = open_database(path, SQLITE_OPEN_READWRITE);
    const int locked = sqlite3_exec(target.get(), "PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; COMMIT", nullptr,
                                    nullptr, nullptr) &
                       0xff;
    if (locked == SQLITE_BUSY || locked == SQLITE_LOCKED)
        refuse(in_use);
    if (locked != SQLITE_OK)
        refuse(file_fault(path, locked));
    const auto count = texts(target.get(), holds_something);
    // Does not replace a file of another format.
    if (count.empty())
        return !texts(target.get(), "SELECT name FROM sqlite_master LIMIT 1").empty();
    return count.front() != "0";
}

void copy(const Handle& source, const std::string& part, Progress& progress) {
    if (const int descriptor = ::open(part.c_str(), O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0600); descriptor >= 0)
        ::close(descriptor);
    else
        refuse("The file " + part + " could not be made.");
    const auto target = open_database(part, SQLITE_OPEN_READWRITE);
    sqlite3_backup* copying = sqlite3_backup_init(target.get(), "main", source.get(), "main");
    int step = copying ? SQLITE_OK : SQLITE_ERROR;
    while (step == SQLITE_OK && !progress.is_stopped()) {
        step = sqlite3_backup_step(copying, 2'000);
        const auto total = sqlite3_backup_pagecount(copying);
        progress.at("pages", total - sqlite3_backup_remaining(copying), total);
    }
    const int finished = copying ? sqlite3_backup_finish(copying) : SQLITE_ERROR;
    if (step == SQLITE_OK)
        refuse(stopped);
    if (step != SQLITE_DONE || finished != SQLITE_OK)
        refuse("The backup could not be copied. Check the disk's free space.");
}

void sync(const std::string& path, int flags) {
    const int file = ::open(path.c_str(), flags | O_CLOEXEC);
    const bool good = file >= 0 && ::fsync(file) == 0;
    if (file >= 0)
        ::close(file);
    if (!good)
        refuse("The database could not be brought onto the disk.");
}

std::string restore_sqlite(const std::string& target, const std::string& path, const RestoreWish& wish,
                           Progress& progress) {
    if (!head_of(path, 16).starts_with("SQLite format 3"))
        refuse(head_of(path, 5) == "PGDMP" ? "This is a backup of a PostgreSQL database, and database.url names an"
                                             " SQLite file. svc export --everything moves between the two."
                                           : "This is no backup of an SQLite database.");
    const auto source = open_database(path, SQLITE_OPEN_READONLY);
    progress.at("checking the backup", 0, 0);
    if (!is_sound(source.get(), progress))
        refuse("The backup is damaged; nothing was restored.");
    check_steps(texts(source.get(), "SELECT edition || '/' || name FROM svc_migrations"), wish.known_steps);
    if (const auto marks = texts(source.get(), "SELECT mark FROM svc_key_mark"); wish.check_mark)
        wish.check_mark(marks.empty() ? "" : marks.front());
    const bool is_there = fs::exists(target), filled = is_there && is_filled(target);
    if (filled && !wish.replaces)
        refuse(not_empty);
    const std::string part = target + ".part";
    std::error_code ignored;
    fs::create_directories(fs::absolute(target).parent_path(), ignored);
    fs::remove(part, ignored);
    try {
        copy(source, part, progress);
        sync(part, O_RDONLY);
    } catch (...) {
        fs::remove(part, ignored);
        throw;
    }
    std::string backup;
    if (filled) {
        // Of two within a second each has a name of its own.
        const std::string name = target + ".replaced-" + std::to_string(std::time(nullptr));
        backup = name;
        for (int again = 2; fs::exists(backup); ++again)
            backup = name + "-" + std::to_string(again);
        fs::create_hard_link(target, backup);
    }
    // No process has the file open and its log was merged: the files next to it are obsolete.
    for (const char* tail : {"-wal", "-shm", "-journal"})
        fs::remove(target + tail, ignored);
    fs::rename(part, target);
    sync(fs::absolute(target).parent_path(), O_RDONLY | O_DIRECTORY);
    return backup;
}

struct DumpHead {
    std::vector<std::string> steps = {};  // "base/0001_settings"
    std::string mark;
};

// From a dump, which lists rows as lines with tabs: edition, name and more of a step; 1, mark and time.
DumpHead head_of_dump(const std::string& path, const std::string& scratch, Progress& progress) {
    run_postgres_tool("pg_restore",
                      {"--data-only", "--table=svc_migrations", "--table=svc_key_mark", "--file=" + scratch, path}, {},
                      [&] { return !progress.is_stopped(); });
    DumpHead head;
    std::ifstream lines(scratch);
    for (std::string line; std::getline(lines, line);) {
        const auto first = line.find('\t'), second = line.find('\t', first + 1);
        if (second == std::string::npos)
            continue;
        const std::string name = line.substr(first + 1, second - first - 1);
        if (line.find('\t', second + 1) != std::string::npos)
            head.steps.push_back(line.substr(0, first) + "/" + name);
        else
            head.mark = name;
    }
    return head;
}

struct TargetState {
    bool has_tables = false, filled = false, in_use = false;
    std::vector<std::string> steps = {};  // "base/0001_settings"
};

TargetState state_of(const StoreOptions& options) {
    const auto store = open(options);
    TargetState state;
    store->read([&](Session& session) {
        state.has_tables =
            session.number(
                "SELECT COUNT(*) FROM information_schema.tables WHERE table_schema = current_schema() AND"
                " table_name = 'svc_bookings'",
                {}) > 0;
        state.filled = state.has_tables && session.number(holds_something, {}) > 0;
        if (state.has_tables)
            state.steps =
                all_rows(session, "SELECT edition, name FROM svc_migrations", {},
                         [](const std::string& edition, const std::string& name) { return edition + "/" + name; });
        state.in_use = session.number(
                           "SELECT COUNT(*) FROM pg_stat_activity WHERE datname = current_database() AND pid"
                           " <> pg_backend_pid() AND backend_type = 'client backend'",
                           {}) > 0;
    });
    return state;
}

void restore_postgres(const StoreOptions& options, const std::string& path, const RestoreWish& wish,
                      Progress& progress) {
    const std::string head = head_of(path, 16);
    if (!head.starts_with("PGDMP"))
        refuse(head.starts_with("SQLite format 3") ? "This is a backup of an SQLite database, and database.url names"
                                                     " PostgreSQL. svc export --everything moves between the two."
                                                   : "This is no backup of a PostgreSQL database.");
    progress.at("checking the backup", 0, 0);
    const auto goes_on = [&] { return !progress.is_stopped(); };
    run_postgres_tool("pg_restore", {"--file=/dev/null", path}, {}, goes_on);
    std::string scratch = (fs::temp_directory_path() / "svc-XXXXXX").string();
    const int file = mkstemp(scratch.data());
    if (file < 0)
        refuse("No file can be made in the temporary directory.");
    ::close(file);
    DumpHead of_dump;
    std::error_code ignored;
    try {
        of_dump = head_of_dump(path, scratch, progress);
    } catch (...) {
        fs::remove(scratch, ignored);
        throw;
    }
    fs::remove(scratch, ignored);
    if (progress.is_stopped())
        refuse(stopped);
    const std::vector<std::string>& steps = of_dump.steps;
    check_steps(steps, wish.known_steps);
    if (wish.check_mark)
        wish.check_mark(of_dump.mark);
    StoreOptions one = options;
    one.sessions = 1;
    const TargetState target = state_of(one);
    if (target.in_use)
        refuse(in_use);
    if (target.filled && !wish.replaces)
        refuse(not_empty);
    // Objects that the backup does not contain would stay, and svc migrate would create them again.
    for (const std::string& step : target.steps)
        if (std::find(steps.begin(), steps.end(), step) == steps.end())
            refuse("The database has tables that the backup does not know (schema step " + step +
                   "). Create an empty database and restore into that one.");
    if (progress.is_stopped())
        refuse(stopped);
    progress.at("restoring the database", 0, 0);
    std::vector<std::string> arguments{"--single-transaction", "--exit-on-error", "--no-owner", "--no-privileges"};
    if (target.has_tables)
        arguments.insert(arguments.end(), {"--clean", "--if-exists"});
    arguments.push_back(path);
    // One transaction: ended in the middle it leaves everything as it was.
    run_postgres_tool("pg_restore", arguments, postgres_conninfo(options), goes_on);
    if (progress.is_stopped())
        refuse(stopped);
}

}  // namespace

std::string restore(const StoreOptions& options, const std::string& path, const RestoreWish& wish, Progress& progress) {
    if (dialect_of(options) == Dialect::sqlite)
        return restore_sqlite(sqlite_path(options), path, wish, progress);
    restore_postgres(options, path, wish, progress);
    return {};
}

}  // namespace svc::store
