// The floor of a whole flow: replay_sqlite FILE SCRIPT COUNT does a flow's statements COUNT times by the C
// interface alone, with the process that wrote them down left out.
#include <map>

#include <sqlite3.h>

#include "tests/bench/replay.hpp"

namespace {

using namespace svc::bench;

struct Step {
    sqlite3_stmt* statement = nullptr;
    bool inserts = false;
    std::vector<Argument> arguments = {};
};

class Replay {
  public:
    Replay(const std::string& file, const std::string& script) {
        check(sqlite3_open(file.c_str(), &database_), SQLITE_OK);
        // As the program's writer has them (base/platform/store/sqlite_connection.cpp).
        for (const char* text :
             {"PRAGMA journal_mode = WAL", "PRAGMA synchronous = FULL", "PRAGMA foreign_keys = ON",
              "PRAGMA cache_size = -16000", "PRAGMA temp_store = MEMORY", "PRAGMA wal_autocheckpoint = 4000"})
            check(sqlite3_exec(database_, text, nullptr, nullptr, nullptr), SQLITE_OK);
        for (auto& written : read_script(script))
            add(std::move(written));
    }
    ~Replay() {
        for (const auto& [sql, statement] : statements_)
            sqlite3_finalize(statement);
        sqlite3_close(database_);
    }
    Replay(const Replay&) = delete;
    Replay& operator=(const Replay&) = delete;

    void flow(std::int64_t number) {
        made_.clear();
        for (const Step& step : steps_)
            run(step, number);
    }

  private:
    void check(int code, int wanted) const {
        if (code != wanted)
            throw std::runtime_error(std::string("SQLite said ") + sqlite3_errmsg(database_));
    }

    void add(Written written) {
        auto& statement = statements_[written.sql];
        if (!statement)
            check(
                sqlite3_prepare_v3(database_, written.sql.c_str(), -1, SQLITE_PREPARE_PERSISTENT, &statement, nullptr),
                SQLITE_OK);
        steps_.push_back({.statement = statement,
                          .inserts = written.sql.starts_with("INSERT"),
                          .arguments = std::move(written.arguments)});
    }

    void run(const Step& step, std::int64_t number) {
        int at = 0;
        for (const Argument& each : step.arguments) {
            ++at;
            if (each.kind == 'n')
                sqlite3_bind_null(step.statement, at);
            else if (each.kind == 'd')
                sqlite3_bind_double(step.statement, at, each.real);
            else if (each.kind == 'r')
                sqlite3_bind_int64(step.statement, at, made_.at(static_cast<std::size_t>(each.number)));
            else if (each.kind == 'i' || each.kind == 'v')
                sqlite3_bind_int64(step.statement, at, each.number + (each.kind == 'v' ? number : 0));
            else if (each.kind == 't')
                sqlite3_bind_text(step.statement, at, each.text.data(), static_cast<int>(each.text.size()), nullptr);
            else {
                const std::string text = other(each.text, number);
                sqlite3_bind_text(step.statement, at, text.data(), static_cast<int>(text.size()), SQLITE_TRANSIENT);
            }
        }
        while (sqlite3_step(step.statement) == SQLITE_ROW) {
        }
        check(sqlite3_reset(step.statement), SQLITE_OK);
        if (step.inserts)
            made_.push_back(sqlite3_last_insert_rowid(database_));
    }

    sqlite3* database_ = nullptr;
    std::map<std::string, sqlite3_stmt*> statements_;
    std::vector<Step> steps_;
    std::vector<std::int64_t> made_;
};

}  // namespace

int main(int count, char** values) { return replayed<Replay>("replay_sqlite", count, values); }
