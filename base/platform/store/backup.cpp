// SQLite's online backup, pg_dump for PostgreSQL, and the way of a file onto the disk.
#include "base/platform/store/backup.hpp"

#include <fcntl.h>
#include <filesystem>
#include <stdexcept>
#include <unistd.h>

#include <sqlite3.h>

#include "base/platform/store/engine.hpp"
#include "base/platform/store/file_faults.hpp"
#include "base/platform/store/postgres_tool.hpp"

namespace svc::store {
namespace {

namespace fs = std::filesystem;

// A descriptor that closes itself.
class File {
  public:
    File(const std::string& path, int flags) : fd_(::open(path.c_str(), flags | O_CLOEXEC, 0600)) {
        if (fd_ < 0)
            throw std::runtime_error("The backup could not be written to " + path + ".");
    }
    ~File() { ::close(fd_); }
    File(const File&) = delete;
    File& operator=(const File&) = delete;
    void sync() const {
        if (::fsync(fd_) != 0)
            throw std::runtime_error("The backup could not be brought onto the disk.");
    }

  private:
    int fd_;
};

struct CloseSqlite {
    void operator()(sqlite3* database) const { sqlite3_close_v2(database); }
};
using Sqlite = std::unique_ptr<sqlite3, CloseSqlite>;

Sqlite open_file(const std::string& path, int flags) {
    sqlite3* database = nullptr;
    const int code = sqlite3_open_v2(path.c_str(), &database, flags, nullptr);
    Sqlite opened(database);
    if (code != SQLITE_OK)
        throw std::runtime_error(file_fault(path, code));
    sqlite3_busy_timeout(database, 5000);
    return opened;
}

[[noreturn]] void stop() { throw std::runtime_error("no backup was made."); }

// One reader's snapshot over all steps: with WAL it blocks no writer, and later writes do not restart the copy.
void copy_sqlite(const std::string& from, const std::string& to, Progress& progress) {
    constexpr int pages_of_step = 2048;
    const auto source = open_file(from, SQLITE_OPEN_READONLY);
    if (sqlite3_exec(source.get(), "BEGIN; SELECT COUNT(*) FROM sqlite_master", nullptr, nullptr, nullptr) != SQLITE_OK)
        throw std::runtime_error(file_fault(from, sqlite3_extended_errcode(source.get())));
    const auto target = open_file(to, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
    sqlite3_backup* copy = sqlite3_backup_init(target.get(), "main", source.get(), "main");
    int stepped = copy ? SQLITE_OK : SQLITE_ERROR;
    while (stepped == SQLITE_OK && !progress.is_stopped()) {
        stepped = sqlite3_backup_step(copy, pages_of_step);
        const int pages = sqlite3_backup_pagecount(copy);
        progress.at("pages of the database", pages - sqlite3_backup_remaining(copy), pages);
    }
    const int finished = copy ? sqlite3_backup_finish(copy) : SQLITE_ERROR;
    if (progress.is_stopped())
        stop();
    if (stepped != SQLITE_DONE || finished != SQLITE_OK)
        throw std::runtime_error("The database could not be copied to " + to + ". Check the disk's free space.");

    std::string verdict;
    const auto take = [](void* into, int columns, char** values, char**) {
        if (columns > 0 && values[0] && static_cast<std::string*>(into)->empty())
            *static_cast<std::string*>(into) = values[0];
        return 0;
    };
    // The copy leaves WAL, so that the one file is all there is.
    if (sqlite3_exec(target.get(), "PRAGMA journal_mode = DELETE", nullptr, nullptr, nullptr) != SQLITE_OK ||
        sqlite3_exec(target.get(), "PRAGMA quick_check", take, &verdict, nullptr) != SQLITE_OK || verdict != "ok")
        throw std::runtime_error("The copy of the database is damaged.");
}

void dump_postgres(const std::string& conninfo, const std::string& to, Progress& progress) {
    run_postgres_tool("pg_dump", {"--format=custom", "--file=" + to}, conninfo, [&] {
        std::error_code unknown;
        const auto bytes = fs::file_size(to, unknown);
        progress.at("KiB of the dump", unknown ? 0 : static_cast<std::int64_t>(bytes / 1024), 0);
        return !progress.is_stopped();
    });
    if (progress.is_stopped())
        stop();
}

// Deletes an unfinished file in any case.
class Unfinished {
  public:
    explicit Unfinished(std::string path) : path_(std::move(path)) { remove(); }
    ~Unfinished() { remove(); }
    Unfinished(const Unfinished&) = delete;
    Unfinished& operator=(const Unfinished&) = delete;

  private:
    void remove() const {
        std::error_code ignored;
        for (const char* tail : {"", "-journal", "-wal", "-shm"})
            fs::remove(path_ + tail, ignored);
    }
    std::string path_;
};

}  // namespace

void backup(const StoreOptions& options, const std::string& path, Progress& progress) {
    if (fs::exists(path))
        throw std::runtime_error("There is a file at " + path + " already.");
    const auto part = path + ".part";
    const Unfinished unfinished(part);
    { const File created(part, O_WRONLY | O_CREAT | O_EXCL); }  // 0600 before anything is in it
    if (dialect_of(options) == Dialect::sqlite)
        copy_sqlite(sqlite_path(options), part, progress);
    else
        dump_postgres(postgres_conninfo(options), part, progress);
    File(part, O_RDONLY).sync();
    // A link fails if the file was created meanwhile, where a rename would replace it.
    if (::link(part.c_str(), path.c_str()) != 0)
        throw std::runtime_error("The backup could not be put at " + path + ".");
    const auto folder = fs::absolute(path).parent_path().string();
    File(folder, O_RDONLY | O_DIRECTORY).sync();
}

}  // namespace svc::store
