// Writes down what a process asks of SQLite: loaded before it (LD_PRELOAD), it appends a line a statement to the file
// that SVC_BENCH_RECORD names. statements.py reads them, replay_sqlite does the same without the process.
//
//   DATABASE S SQL ARGUMENT...   a statement's first step, also of sqlite3_exec; SQL and texts in hex, arguments i1 n
//   t4142 d0.5 DATABASE R ROWID             what that INSERT made
#include <cstring>
#include <map>
#include <vector>

#include <sqlite3.h>

#include "tests/bench/record.hpp"

namespace {

using namespace svc::bench;

struct Recorder {
    std::mutex mutex;
    std::map<sqlite3_stmt*, std::vector<std::string>> bound;  // an address that is used again is bound anew
    Log log;
};

Recorder& recorder() {
    static auto* const one = new Recorder;  // outlives the statements that others finalize at exit
    return *one;
}

void bind(sqlite3_stmt* statement, int at, std::string value) {
    const std::lock_guard lock(recorder().mutex);
    auto& values = recorder().bound[statement];
    if (values.size() < static_cast<std::size_t>(at))
        values.resize(static_cast<std::size_t>(at), "n");
    values[static_cast<std::size_t>(at) - 1] = std::move(value);
}

// While one statement runs, SQLite asks others for itself: an index of texts keeps its words in tables of its own. Whoever
// does the first again has them done, too.
thread_local int running = 0;

std::string_view sized(const char* text, sqlite3_int64 size) {
    return {text, size < 0 ? std::strlen(text) : static_cast<std::size_t>(size)};
}

}  // namespace

extern "C" {

[[gnu::visibility("default")]] int sqlite3_bind_int(sqlite3_stmt* statement, int at, int value) {
    static auto* const next = real<decltype(sqlite3_bind_int)>("sqlite3_bind_int");
    bind(statement, at, "i" + std::to_string(value));
    return next(statement, at, value);
}

[[gnu::visibility("default")]] int sqlite3_bind_int64(sqlite3_stmt* statement, int at, sqlite3_int64 value) {
    static auto* const next = real<decltype(sqlite3_bind_int64)>("sqlite3_bind_int64");
    bind(statement, at, "i" + std::to_string(value));
    return next(statement, at, value);
}

[[gnu::visibility("default")]] int sqlite3_bind_double(sqlite3_stmt* statement, int at, double value) {
    static auto* const next = real<decltype(sqlite3_bind_double)>("sqlite3_bind_double");
    bind(statement, at, "d" + std::to_string(value));
    return next(statement, at, value);
}

[[gnu::visibility("default")]] int sqlite3_bind_null(sqlite3_stmt* statement, int at) {
    static auto* const next = real<decltype(sqlite3_bind_null)>("sqlite3_bind_null");
    bind(statement, at, "n");
    return next(statement, at);
}

[[gnu::visibility("default")]] int sqlite3_bind_text(sqlite3_stmt* statement, int at, const char* text, int size,
                                                     void (*free)(void*)) {
    static auto* const next = real<decltype(sqlite3_bind_text)>("sqlite3_bind_text");
    bind(statement, at, text ? "t" + hex(sized(text, size)) : "n");
    return next(statement, at, text, size, free);
}

[[gnu::visibility("default")]] int sqlite3_bind_text64(sqlite3_stmt* statement, int at, const char* text,
                                                       sqlite3_uint64 size, void (*free)(void*),
                                                       unsigned char encoding) {
    static auto* const next = real<decltype(sqlite3_bind_text64)>("sqlite3_bind_text64");
    bind(statement, at, text ? "t" + hex({text, size}) : "n");
    return next(statement, at, text, size, free, encoding);
}

[[gnu::visibility("default")]] int sqlite3_step(sqlite3_stmt* statement) {
    static auto* const next = real<decltype(sqlite3_step)>("sqlite3_step");
    const std::string sql = sqlite3_sql(statement) ? sqlite3_sql(statement) : "";
    const bool first = running == 0 && !sqlite3_stmt_busy(statement);
    if (first) {
        const std::lock_guard lock(recorder().mutex);
        std::string told = "S " + hex(sql);
        for (const auto& value : recorder().bound[statement])
            told += " " + value;
        recorder().log.line(sqlite3_db_handle(statement), told);
    }
    ++running;
    const int code = next(statement);
    --running;
    if (first && (code == SQLITE_DONE || code == SQLITE_ROW) && sql.starts_with("INSERT")) {
        recorder().log.line(sqlite3_db_handle(statement),
                            "R " + std::to_string(sqlite3_last_insert_rowid(sqlite3_db_handle(statement))));
    }
    return code;
}

}  // extern "C"
