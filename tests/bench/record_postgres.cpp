// Writes down what a process asks of PostgreSQL by libpq: loaded before it (LD_PRELOAD), it appends a line a statement
// to the file that SVC_BENCH_RECORD names. statements.py reads them, replay_postgres does the same without the process.
//
//   CONNECTION S SQL ARGUMENT...   SQL and texts in hex, arguments i1 n t4142
//   CONNECTION R ID                what that INSERT answered first
#include <algorithm>
#include <charconv>
#include <map>
#include <vector>

#include <libpq-fe.h>

#include "tests/bench/record.hpp"

namespace {

using namespace svc::bench;

struct Recorder {
    std::mutex mutex;
    std::map<std::pair<const PGconn*, std::string>, std::string> prepared;
    Log log;
};

Recorder& recorder() {
    static auto* const one = new Recorder;  // outlives connections that others close at exit
    return *one;
}

// The driver sends integers as text; those that a ledger of numbers can hold are told apart from words.
std::string argument(const char* value) {
    if (!value)
        return "n";
    const std::string_view text(value);
    std::int64_t number = 0;
    const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (failed == std::errc{} && end == text.data() + text.size() && std::to_string(number) == text)
        return "i" + std::string(text);
    return "t" + hex(text);
}

void asked(const PGconn* connection, const std::string& sql, int count = 0, const char* const* values = nullptr) {
    std::string told = "S " + hex(sql);
    for (int i = 0; i < count; ++i)
        told += " " + argument(values[i]);
    recorder().log.line(connection, told);
}

void to_prepare(const PGconn* connection, const char* name, const char* sql) {
    const std::lock_guard lock(recorder().mutex);
    recorder().prepared[{connection, name}] = sql;
}

void asked_prepared(const PGconn* connection, const char* name, int count, const char* const* values) {
    std::string sql;
    {
        const std::lock_guard lock(recorder().mutex);
        sql = recorder().prepared[{connection, name}];
    }
    asked(connection, sql, count, values);
}

PGresult* answered(const PGconn* connection, PGresult* result) {
    if (result && PQresultStatus(result) == PGRES_TUPLES_OK && PQntuples(result) > 0 &&
        std::string_view(PQcmdStatus(result)).starts_with("INSERT"))
        recorder().log.line(connection, std::string("R ") + PQgetvalue(result, 0, 0));
    return result;
}

}  // namespace

extern "C" {

// PQexecPrepared() sends by PQsendQueryPrepared(), and every answer is taken by PQgetResult().
[[gnu::visibility("default")]] PGresult* PQprepare(PGconn* connection, const char* name, const char* sql, int count,
                                                   const Oid* types) {
    static auto* const next = real<decltype(PQprepare)>("PQprepare");
    to_prepare(connection, name, sql);
    return next(connection, name, sql, count, types);
}

[[gnu::visibility("default")]] int PQsendPrepare(PGconn* connection, const char* name, const char* sql, int count,
                                                 const Oid* types) {
    static auto* const next = real<decltype(PQsendPrepare)>("PQsendPrepare");
    to_prepare(connection, name, sql);
    return next(connection, name, sql, count, types);
}

[[gnu::visibility("default")]] PGresult* PQexec(PGconn* connection, const char* sql) {
    static auto* const next = real<decltype(PQexec)>("PQexec");
    asked(connection, sql);
    return next(connection, sql);
}

[[gnu::visibility("default")]] int PQsendQueryPrepared(PGconn* connection, const char* name, int count,
                                                       const char* const* values, const int* lengths,
                                                       const int* formats, int format) {
    static auto* const next = real<decltype(PQsendQueryPrepared)>("PQsendQueryPrepared");
    asked_prepared(connection, name, count, values);
    return next(connection, name, count, values, lengths, formats, format);
}

[[gnu::visibility("default")]] int PQsendQueryParams(PGconn* connection, const char* sql, int count, const Oid* types,
                                                     const char* const* values, const int* lengths, const int* formats,
                                                     int format) {
    static auto* const next = real<decltype(PQsendQueryParams)>("PQsendQueryParams");
    asked(connection, sql, count, values);
    return next(connection, sql, count, types, values, lengths, formats, format);
}

[[gnu::visibility("default")]] PGresult* PQgetResult(PGconn* connection) {
    static auto* const next = real<decltype(PQgetResult)>("PQgetResult");
    return answered(connection, next(connection));
}

}  // extern "C"
