// Opens an SQLite file durably and maps its result codes.
#include "base/platform/store/sqlite_connection.hpp"

#include <chrono>
#include <fcntl.h>
#include <random>
#include <thread>
#include <unistd.h>

#include <soci/sqlite3/soci-sqlite3.h>

#include "base/platform/store/file_faults.hpp"
#include "base/platform/store/sqlite_statement.hpp"
#include "shared/core/log.hpp"
#include "shared/core/no_wait.hpp"

namespace svc::store {
namespace {

using namespace std::chrono_literals;

constexpr auto busy_time = 5s;

sqlite_api::sqlite3* native(const soci::session& session) {
    return static_cast<soci::sqlite3_session_backend*>(const_cast<soci::session&>(session).get_backend())->conn_;
}

// A connection is used by one thread at a time, so the library need not lock it for every value that is read, nor count
// the memory it takes. Where the library was at work before, it stays as it was.
void prepare_library() {
    static const int once =
        sqlite_api::sqlite3_config(SQLITE_CONFIG_MULTITHREAD) | sqlite_api::sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
    static_cast<void>(once);
}

// Called while another process writes. SQLite's own handler sleeps in fixed steps of up to 100 ms, so that one process
// starves; short random ones share the file evenly.
int keep_waiting(void*, int tries) {
    if (NoWait::here())
        return 0;
    thread_local std::minstd_rand random{std::random_device{}()};
    thread_local std::chrono::steady_clock::time_point began;
    const auto now = std::chrono::steady_clock::now();
    if (tries == 0)
        began = now;
    if (now - began > busy_time)
        return 0;
    std::this_thread::sleep_for(std::chrono::microseconds(std::uniform_int_distribution<>(100, 2000)(random)));
    return 1;
}

std::string quoted(const std::string& path) {
    if (path.empty() || path.find('"') != std::string::npos || path.find('\0') != std::string::npos ||
        path.starts_with(":memory:") || path.starts_with("file:"))
        throw std::runtime_error("The database address must name a file: sqlite:PATH.");
    return "db=\"" + path + "\"";
}

// New files are readable by their user only: they contain password hashes, names and addresses. SQLite creates its
// other files with the same mode.
void make_private(const std::string& path) {
    if (const int descriptor = ::open(path.c_str(), O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0600); descriptor >= 0)
        ::close(descriptor);
}

// "UNIQUE constraint failed: t.a, t.b" is SQLite's text, whatever SOCI adds around it.
std::string constraint_named_in(const std::string& message) {
    constexpr std::string_view mark = "constraint failed: ";
    const auto at = message.find(mark);
    if (at == std::string::npos)
        return "a constraint";
    const auto from = at + mark.size();
    const auto end = message.find_first_of("\n\"", from);
    auto name = message.substr(from, end == std::string::npos ? end : end - from);
    if (const auto context = name.find(" while "); context != std::string::npos)
        name.resize(context);
    while (!name.empty() && (name.back() == '.' || name.back() == ' '))
        name.pop_back();
    return name;
}

}  // namespace

SqliteConnection::SqliteConnection(const std::string& path, SqliteRole role) : path_(path), role_(role) {
    prepare_library();
    const auto address = quoted(path);
    make_private(path);
    try {
        session_ = std::make_unique<soci::session>(soci::sqlite3, address);
    } catch (const soci::soci_error&) {
        throw Unavailable(file_fault(path, SQLITE_CANTOPEN));
    }
    set_up();
}

SqliteConnection::~SqliteConnection() = default;

void SqliteConnection::set_up() {
    sqlite_api::sqlite3_extended_result_codes(native(*session_), 1);
    sqlite_api::sqlite3_busy_handler(native(*session_), keep_waiting, nullptr);
    use_wal();
    // SQLite opens a file that it may not write for reading alone, and says so at the first write.
    if (sqlite_api::sqlite3_db_readonly(native(*session_), "main") == 1)
        throw Unavailable(file_fault(path_, SQLITE_READONLY));
    pragma("PRAGMA synchronous = FULL");
    pragma("PRAGMA foreign_keys = ON");
    // KiB. A booking writes to some fifteen indexes. Readers are many, each commit empties their cache, and the
    // system's cache backs them: a larger one would only make memory vary.
    pragma(role_ == SqliteRole::writer ? "PRAGMA cache_size = -16000" : "PRAGMA cache_size = -1000");
    pragma("PRAGMA temp_store = MEMORY");
    // 16 MB: pages that every booking writes reach the file once for many bookings.
    pragma("PRAGMA wal_autocheckpoint = 4000");
    if (role_ == SqliteRole::reader)
        pragma("PRAGMA query_only = ON");
    for (const auto& setting : durability())
        if (!setting.ok)
            throw std::runtime_error("The database cannot be used safely: " + setting.name + " is " + setting.value +
                                     ".");
    if (pragma_value("PRAGMA foreign_keys") != "1")
        throw std::runtime_error("The database cannot be used safely: foreign_keys is off.");
}

// The switch to WAL ignores the busy handler, so processes that start together retry.
void SqliteConnection::use_wal() {
    const auto until = std::chrono::steady_clock::now() + busy_time;
    for (int tries = 1;; ++tries) {
        try {
            pragma("PRAGMA journal_mode = WAL");
            return;
        } catch (const Retryable&) {
            if (std::chrono::steady_clock::now() > until)
                throw Unavailable("The database file " + path_ +
                                  " is locked: another program keeps it from being written.");
            keep_waiting(nullptr, tries);
        }
    }
}

void SqliteConnection::release_memory() { sqlite_api::sqlite3_db_release_memory(native(*session_)); }

std::vector<DurableSetting> SqliteConnection::durability() {
    sync_as(Durability::durable);
    std::vector<DurableSetting> settings;
    const auto journal = pragma_value("PRAGMA journal_mode");
    settings.push_back({"journal_mode", journal, journal == "wal"});
    const auto synchronous = pragma_value("PRAGMA synchronous");
    settings.push_back({"synchronous", synchronous, synchronous == "2" || synchronous == "3"});
    return settings;
}

std::int64_t SqliteConnection::data_version() { return std::stoll(pragma_value("PRAGMA data_version")); }

void SqliteConnection::pragma(const char* text) {
    const int code = sqlite_api::sqlite3_exec(native(*session_), text, nullptr, nullptr, nullptr);
    if (code != SQLITE_OK)
        fail_with(code, {});
}

std::string SqliteConnection::pragma_value(const char* text) {
    std::string value;
    const auto take = [](void* into, int columns, char** values, char**) {
        if (columns > 0 && values[0])
            *static_cast<std::string*>(into) = values[0];
        return 0;
    };
    const int code = sqlite_api::sqlite3_exec(native(*session_), text, take, &value, nullptr);
    if (code != SQLITE_OK)
        fail_with(code, {});
    return value;
}

void SqliteConnection::begin(Durability how) {
    sync_as(how);
    run("BEGIN IMMEDIATE", {});
}

void SqliteConnection::begin_snapshot() { run("BEGIN", {}); }

// NORMAL leaves the sync out of a commit; the next commit under FULL syncs all that was written before it.
void SqliteConnection::sync_as(Durability how) {
    if (how == synced_as_)
        return;
    pragma(how == Durability::durable ? "PRAGMA synchronous = FULL" : "PRAGMA synchronous = NORMAL");
    synced_as_ = how;
}

void SqliteConnection::commit() { run("COMMIT", {}); }
void SqliteConnection::rollback() {
    if (in_transaction())
        run("ROLLBACK", {});
}
// One name does for all: the innermost savepoint of a name is meant.
void SqliteConnection::savepoint() { run("SAVEPOINT svc", {}); }
void SqliteConnection::release() { run("RELEASE svc", {}); }
void SqliteConnection::rollback_to_savepoint() {
    run("ROLLBACK TO svc", {});
    run("RELEASE svc", {});
}

bool SqliteConnection::in_transaction() const { return sqlite_api::sqlite3_get_autocommit(native(*session_)) == 0; }

std::unique_ptr<Statement> SqliteConnection::prepare(const std::string& driver_text, std::string_view,
                                                     Columns columns) {
    return std::make_unique<SqliteStatement>(*session_, driver_text, columns);
}

std::int64_t SqliteConnection::new_id() { return sqlite_api::sqlite3_last_insert_rowid(native(*session_)); }

void SqliteConnection::fail(const soci::soci_error& error) {
    const auto* known = dynamic_cast<const soci::sqlite3_soci_error*>(&error);
    if (!known) {
        broken_ = true;
        log::error("database_failed", {{"database", "sqlite"}, {"cause", "driver"}});
        throw Failure("The database driver refused a statement.");
    }
    fail_with(known->result(), error.get_error_message());
}

void SqliteConnection::fail_with(int code, const std::string& message) {
    switch (code & 0xff) {
        case SQLITE_CONSTRAINT:
            if (code == SQLITE_CONSTRAINT_UNIQUE || code == SQLITE_CONSTRAINT_PRIMARYKEY ||
                code == SQLITE_CONSTRAINT_ROWID)
                throw UniqueViolation(constraint_named_in(message));
            throw ConstraintViolation(constraint_named_in(message));
        case SQLITE_TOOBIG:
        case SQLITE_MISMATCH:
        case SQLITE_RANGE:
            throw ConstraintViolation("a value does not fit");
        case SQLITE_BUSY:
        case SQLITE_LOCKED:
            NoWait::refuse();
            throw Retryable("The database is busy.");
        case SQLITE_READONLY:
            if (code == SQLITE_READONLY && role_ == SqliteRole::reader)
                throw std::logic_error("a read-only session received a write");
            break;
        case SQLITE_ERROR:
        case SQLITE_SCHEMA:
        case SQLITE_MISUSE:
            log::error("database_failed",
                       {{"database", "sqlite"}, {"code", code}, {"cause", sqlite_api::sqlite3_errstr(code)}});
            throw Failure("The database refused a statement.");
        default:
            break;
    }
    broken_ = true;  // IOERR, FULL, CORRUPT, NOTADB, CANTOPEN, NOMEM, PROTOCOL ...
    const std::string fault = file_fault(path_, code);
    log::error("database_failed", {{"database", "sqlite"}, {"code", code}, {"cause", fault}});
    throw Unavailable(fault);
}

}  // namespace svc::store
