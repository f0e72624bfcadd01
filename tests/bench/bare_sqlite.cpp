// The floor under SQLite: bare_sqlite FILE COUNT makes COUNT durable bookings by the C interface alone.
#include <memory>

#include <sqlite3.h>

#include "tests/bench/bare.hpp"

namespace {

using namespace svc::bench;

void check(int code, int wanted = SQLITE_OK) {
    if (code != wanted)
        throw std::runtime_error(std::string("SQLite said ") + sqlite3_errstr(code));
}

class Writer {
  public:
    explicit Writer(const std::string& file) {
        check(sqlite3_open(file.c_str(), &database_));
        sqlite3_busy_timeout(database_, 20'000);
        for (const char* text : {"PRAGMA journal_mode = WAL", "PRAGMA synchronous = FULL", "PRAGMA foreign_keys = ON"})
            execute(text);
    }
    ~Writer() {
        for (auto* statement : statements_)
            sqlite3_finalize(statement);
        sqlite3_close(database_);
    }
    Writer(const Writer&) = delete;
    Writer& operator=(const Writer&) = delete;

    void execute(std::string_view text) {
        check(sqlite3_exec(database_, std::string(text).c_str(), nullptr, nullptr, nullptr));
    }
    void prepare() {
        for (const char* text :
             {"BEGIN IMMEDIATE", "UPDATE bare_seats SET booked = booked + 2 WHERE id = ?1 AND booked + 2 <= capacity",
              "INSERT INTO bare_bookings (id, departure, name, total_minor, created_at) VALUES (?1, ?2, ?3, 19999, 0)",
              "INSERT INTO bare_events (id, booking, body) VALUES (?1, ?1, ?3)",
              "INSERT INTO bare_payments (id, booking, amount_minor) VALUES (?1, ?1, 19999)", "COMMIT"}) {
            sqlite3_stmt* statement = nullptr;
            check(sqlite3_prepare_v2(database_, text, -1, &statement, nullptr));
            statements_.push_back(statement);
        }
    }
    void book(std::int64_t id) {
        const std::int64_t departure = id % 4 + 1;
        step(0);
        sqlite3_bind_int64(statements_[1], 1, departure);
        step(1);
        if (sqlite3_changes(database_) != 1)
            throw std::runtime_error("no seats left");
        sqlite3_bind_int64(statements_[2], 1, id);
        sqlite3_bind_int64(statements_[2], 2, departure);
        text(2, name);
        step(2);
        sqlite3_bind_int64(statements_[3], 1, id);
        text(3, body);
        step(3);
        sqlite3_bind_int64(statements_[4], 1, id);
        step(4);
        step(5);
    }

  private:
    void step(std::size_t which) {
        check(sqlite3_step(statements_[which]), SQLITE_DONE);
        sqlite3_reset(statements_[which]);
    }
    void text(std::size_t which, std::string_view value) {
        sqlite3_bind_text(statements_[which], 3, value.data(), static_cast<int>(value.size()), nullptr);
    }
    sqlite3* database_ = nullptr;
    std::vector<sqlite3_stmt*> statements_;
};

void run(const std::string& file, int count) {
    std::int64_t base = 0;
    for (const int threads : {1, 4})
        for (const bool in_turn : {true, false}) {
            if (threads == 1 && !in_turn)
                continue;
            Writer first(file);
            if (base == 0)
                for (const auto text : make_tables)
                    first.execute(text);
            base += 100'000'000;
            std::mutex turn;
            measure("bare_sqlite", in_turn ? "one mutex" : "busy handler", threads, count,
                    [&](int thread, int share, std::vector<double>& times) {
                        Writer writer(file);
                        writer.prepare();
                        for (int i = 0; i < share; ++i)
                            times.push_back(timed([&] {
                                std::unique_lock lock(turn, std::defer_lock);
                                if (in_turn)
                                    lock.lock();
                                writer.book(base + thread * 10'000'000 + i);
                            }));
                    });
        }
}

}  // namespace

int main(int count, char** values) {
    try {
        if (count != 3)
            throw std::invalid_argument("bare_sqlite FILE COUNT");
        run(values[1], whole_number(values[2]));
        return 0;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
}
