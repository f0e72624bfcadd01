// A PostgreSQL server that ends sessions, goes away and comes back.
#include <cstdlib>
#include <fstream>
#include <thread>

#include <doctest/doctest.h>

#include "tests/support/child.hpp"
#include "tests/support/databases.hpp"

using namespace svc;
using namespace svc::store;
using tests::Database;

namespace {

// Ends every other session of the database.
void end_sessions(Store& admin) {
    admin.read([](Session& session) {
        session.each(
            "SELECT CAST(pg_terminate_backend(pid, 5000) AS TEXT) FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid <> pg_backend_pid()",
            "t", {}, [](const Row& row) { REQUIRE(row.text(0) == "true"); });
    });
}

void with_table(Store& store) { tests::execute(store, {"CREATE TABLE svc_probe (id BIGINT PRIMARY KEY)"}); }

Result<void> add(Store& store, std::int64_t id) {
    return store.write([&](Transaction& tx) -> Result<void> {
        tx.run("INSERT INTO svc_probe (id) VALUES (:id)", {{"id", id}});
        return {};
    });
}

std::int64_t count(Store& store) {
    return store.reading<std::int64_t>(
        [](Session& session) { return session.number("SELECT COUNT(*) FROM svc_probe", {}); });
}

// A cluster of the test's own, since it goes down.
class Cluster {
  public:
    Cluster() { command("start"); }
    ~Cluster() { tests::Child({SVC_PYTHON, SVC_POSTGRES_SCRIPT, "stop", place_}).wait(); }
    Cluster(const Cluster&) = delete;
    Cluster& operator=(const Cluster&) = delete;
    void command(const char* what) {
        tests::Child child({SVC_PYTHON, SVC_POSTGRES_SCRIPT, what, place_});
        REQUIRE(child.wait() == 0);
    }
    [[nodiscard]] std::string url() const {
        std::ifstream in(place_ + ".conninfo");
        std::string conninfo;
        REQUIRE(std::getline(in, conninfo));
        return "postgresql:" + conninfo;
    }

  private:
    tests::TempDir directory_;
    std::string place_ = directory_.file("cluster");
};

}  // namespace

TEST_CASE("sessions ended while idle are replaced unseen") {
    const auto database = Database::postgresql();
    const auto store = database->open(), admin = database->open();
    with_table(*store);
    for (std::int64_t round = 1; round <= 5; ++round) {
        end_sessions(*admin);
        CHECK(count(*store) == round - 1);
        end_sessions(*admin);
        CHECK(add(*store, round));
    }
    CHECK(count(*store) == 5);
}

TEST_CASE("a session ended inside a transaction is Unavailable once, and the next call works") {
    const auto database = Database::postgresql();
    const auto store = database->open(), admin = database->open();
    with_table(*store);
    int after = 0;
    CHECK_THROWS_AS((void)store->write([&](Transaction& tx) -> Result<void> {
        tx.after_commit([&] { ++after; });
        tx.run("INSERT INTO svc_probe (id) VALUES (1)", {});
        end_sessions(*admin);
        return {};
    }),
                    Unavailable);
    CHECK(after == 0);
    CHECK(count(*store) == 0);
    CHECK_THROWS_AS((void)store->write([&](Transaction& tx) -> Result<void> {
        tx.run("INSERT INTO svc_probe (id) VALUES (1)", {});
        end_sessions(*admin);
        const auto part = tx.attempt([&]() -> Result<void> { return {}; });
        return part;
    }),
                    Unavailable);
    CHECK(add(*store, 2));
    CHECK(count(*store) == 1);
}

TEST_CASE("a server that is down is Unavailable, and one that is back is used without a restart") {
    Cluster cluster;
    const auto store = open({.url = cluster.url(), .sessions = 4});
    with_table(*store);
    REQUIRE(add(*store, 1));
    for (std::int64_t round = 2; round <= 3; ++round) {
        cluster.command("down");
        CHECK_THROWS_AS((void)count(*store), Unavailable);
        CHECK_THROWS_AS((void)add(*store, 99), Unavailable);
        cluster.command("up");
        CHECK(count(*store) == round - 1);
        CHECK(add(*store, round));
    }
    CHECK(count(*store) == 3);
    CHECK(activity(*store).leases_refused == 0);
}

TEST_CASE("a lock that is held too long is Unavailable and leaves the session usable") {
    const auto database = Database::postgresql();
    const auto store = database->open(), other = database->open();
    with_table(*store);
    REQUIRE(add(*store, 1));
    const auto connects = activity(*other).connects;
    CHECK(store->write([&](Transaction& tx) -> Result<void> {
        tx.run("UPDATE svc_probe SET id = 2 WHERE id = 1", {});
        std::string said;
        // On the other store, since a transaction inside another is refused on one thread.
        std::thread waiting([&] {
            try {
                (void)other->write([](Transaction& second) -> Result<void> {
                    second.run("UPDATE svc_probe SET id = 3 WHERE id = 1", {});
                    return {};
                });
            } catch (const Unavailable& busy) {
                said = busy.what();
            }
        });
        waiting.join();
        CHECK(said == "The database is too busy.");
        return {};
    }));
    CHECK(count(*other) == 1);
    CHECK(activity(*other).connects == connects);
}
