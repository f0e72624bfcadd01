// The floor under PostgreSQL: bare_postgres CONNINFO COUNT makes COUNT durable bookings by libpq alone.
#include <memory>

#include <libpq-fe.h>

#include "tests/bench/bare.hpp"

namespace {

using namespace svc::bench;

class Writer {
  public:
    explicit Writer(const std::string& conninfo) : connection_(PQconnectdb(conninfo.c_str())) {
        if (PQstatus(connection_) != CONNECTION_OK)
            throw std::runtime_error(PQerrorMessage(connection_));
        PQsetNoticeProcessor(
            connection_, [](void*, const char*) {}, nullptr);
    }
    ~Writer() { PQfinish(connection_); }
    Writer(const Writer&) = delete;
    Writer& operator=(const Writer&) = delete;

    void execute(std::string_view text) { done(PQexec(connection_, std::string(text).c_str()), nullptr); }
    void prepare() {
        prepare("seats", "UPDATE bare_seats SET booked = booked + 2 WHERE id = $1 AND booked + 2 <= capacity");
        prepare("booking",
                "INSERT INTO bare_bookings (id, departure, name, total_minor, created_at)"
                " VALUES ($1, $2, $3, 19999, 0)");
        prepare("event", "INSERT INTO bare_events (id, booking, body) VALUES ($1, $1, $2)");
        prepare("payment", "INSERT INTO bare_payments (id, booking, amount_minor) VALUES ($1, $1, 19999)");
    }
    void book(std::int64_t key) {
        const auto id = std::to_string(key), departure = std::to_string(key % 4 + 1);
        done(PQexec(connection_, "BEGIN"), "BEGIN");
        prepared("seats", {departure.c_str()}, "UPDATE 1");
        prepared("booking", {id.c_str(), departure.c_str(), name.data()}, "INSERT 0 1");
        prepared("event", {id.c_str(), body.data()}, "INSERT 0 1");
        prepared("payment", {id.c_str()}, "INSERT 0 1");
        done(PQexec(connection_, "COMMIT"), "COMMIT");
    }

  private:
    void done(PGresult* result, const char* tag) {
        const std::unique_ptr<PGresult, decltype(&PQclear)> owned(result, PQclear);
        if (PQresultStatus(result) != PGRES_COMMAND_OK)
            throw std::runtime_error(PQresultErrorMessage(result));
        if (tag && std::string_view(PQcmdStatus(result)) != tag)
            throw std::runtime_error("PostgreSQL did something else than asked");
    }
    void prepare(const char* as, const char* text) { done(PQprepare(connection_, as, text, 0, nullptr), nullptr); }
    void prepared(const char* which, const std::vector<const char*>& values, const char* tag) {
        done(PQexecPrepared(connection_, which, static_cast<int>(values.size()), values.data(), nullptr, nullptr, 0),
             tag);
    }
    PGconn* connection_;
};

void run(const std::string& conninfo, int count) {
    std::int64_t base = 0;
    Writer first(conninfo);
    for (const auto text : make_tables)
        first.execute(text);
    for (const int threads : {1, 4}) {
        base += 100'000'000;
        measure("bare_postgres", "a session each", threads, count,
                [&](int thread, int share, std::vector<double>& times) {
                    Writer writer(conninfo);
                    writer.prepare();
                    for (int i = 0; i < share; ++i)
                        times.push_back(timed([&] { writer.book(base + thread * 10'000'000 + i); }));
                });
    }
    for (const char* table : {"bare_seats", "bare_bookings", "bare_events", "bare_payments"})
        first.execute(std::string("DROP TABLE ") + table);
}

}  // namespace

int main(int count, char** values) {
    try {
        if (count != 3)
            throw std::invalid_argument("bare_postgres CONNINFO COUNT");
        run(values[1], whole_number(values[2]));
        return 0;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
}
