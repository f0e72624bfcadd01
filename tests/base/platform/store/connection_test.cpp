// A session alone, below the rules that transactions add: what COMMIT answered is checked, not assumed.
#include <doctest/doctest.h>

#include "base/platform/store/postgres_connection.hpp"
#include "shared/core/correlation.hpp"
#include "shared/store/one_plan.hpp"
#include "tests/support/databases.hpp"

using namespace svc;
using namespace svc::store;
using tests::Database;

TEST_CASE("the commit of a transaction that PostgreSQL has given up is an error") {
    const auto database = Database::postgresql();
    PostgresConnection connection(database->url().substr(11), true);
    connection.begin(Durability::durable);
    connection.run("CREATE TABLE svc_probe (id BIGINT PRIMARY KEY)", {});
    CHECK_THROWS_AS((void)connection.run("INSERT INTO svc_probe (id) VALUES (NULL)", {}), ConstraintViolation);
    CHECK_THROWS_AS(connection.commit(), Failure);
    CHECK(!connection.in_transaction());
    CHECK(!connection.broken());
    connection.begin(Durability::durable);
    CHECK_NOTHROW(connection.run("CREATE TABLE svc_probe (id BIGINT PRIMARY KEY)", {}));
    CHECK_NOTHROW(connection.commit());
}

TEST_CASE("work that ends its transaction by itself is not acknowledged") {
    tests::each_database([](Database& database) {
        CAPTURE(database.name());
        const auto store = database.open();
        tests::execute(*store, {"CREATE TABLE svc_probe (id BIGINT PRIMARY KEY)"});
        CHECK_THROWS_AS((void)store->write([](Transaction& tx) -> Result<void> {
            tx.run("INSERT INTO svc_probe (id) VALUES (1)", {});
            tx.run("ROLLBACK", {});
            return {};
        }),
                        Failure);
        CHECK(store->reading<std::int64_t>(
                  [](Session& session) { return session.number("SELECT COUNT(*) FROM svc_probe", {}); }) == 0);
        CHECK_NOTHROW(tests::execute(*store, {"INSERT INTO svc_probe (id) VALUES (2)"}));
    });
}

TEST_CASE("the password is taken out of the address that a child process is given") {
    std::string password;
    const auto address = conninfo_with_settings("host=/x user=u password='se cret' dbname=d", &password);
    CHECK(password == "se cret");
    CHECK(address.find("cret") == std::string::npos);
    CHECK(address.find("dbname='d'") != std::string::npos);
    CHECK(conninfo_with_settings("postgresql://u@h/d", nullptr).find("host='h'") != std::string::npos);
    CHECK_THROWS_AS((void)conninfo_with_settings("nonsense", nullptr), std::runtime_error);
}

TEST_CASE("a database host that vanishes is given up after ten seconds, unless the address sets another time") {
    const auto help = [](const std::string& address, const std::string& setting) {
        return address.find(setting) != std::string::npos;
    };
    const auto address = conninfo_with_settings("host=db.example dbname=d", nullptr);
    for (const auto* setting : {"tcp_user_timeout='10000' ", "keepalives='1' ", "keepalives_idle='5' ",
                                "keepalives_interval='2' ", "keepalives_count='3' ", "connect_timeout='3' "}) {
        CAPTURE(setting);
        CHECK(help(address, setting));
    }
    CHECK(conninfo_with_settings(address, nullptr) == address);  // as libpq reads it
    const auto named = conninfo_with_settings(
        "postgresql://u@db.example/d?tcp_user_timeout=60000&keepalives=0&keepalives_idle=9", nullptr);
    for (const auto* setting :
         {"tcp_user_timeout='60000' ", "keepalives='0' ", "keepalives_idle='9' ", "keepalives_interval='2' "}) {
        CAPTURE(setting);
        CHECK(help(named, setting));
    }
}

TEST_CASE("a statement marked so is planned once, and the next ones as before") {
    const auto database = Database::postgresql();
    PostgresConnection connection(database->url().substr(11), true);
    const auto said = [&](std::string_view sql) {
        std::string text;
        connection.each(sql, "t", {}, [&](const Row& row) { text = row.text(0); });
        return text;
    };
    connection.begin(Durability::durable);
    connection.run("CREATE TABLE svc_probe AS SELECT CAST(i AS BIGINT) AS id FROM generate_series(1, 20000) AS i", {});
    connection.run("CREATE INDEX svc_probe_id ON svc_probe (id)", {});
    connection.commit();
    for (int run = 0; run < 8; ++run)
        for (const std::string_view sql :
             {"SELECT id FROM svc_probe WHERE id > :after ORDER BY id LIMIT :most",
              SVC_ONE_PLAN "SELECT id FROM svc_probe WHERE id > :after ORDER BY id LIMIT :most"}) {
            std::int64_t rows = 0;
            connection.each(sql, "i", {{"after", 3}, {"most", 2}}, [&](const Row& row) { rows += row.integer(0); });
            CHECK(rows == 4 + 5);
        }
    const std::string plans = "SELECT CAST(generic_plans AS TEXT) FROM pg_catalog.pg_prepared_statements WHERE";
    CHECK(said(plans + " statement LIKE '/* one plan */%svc_probe%'") == "8");
    CHECK(said(plans + " statement LIKE 'SELECT id FROM svc_probe%'") == "0");
    CHECK(said("SELECT pg_catalog.current_setting('plan_cache_mode')") == "auto");
    CHECK(said("SELECT pg_catalog.current_setting('enable_sort')") == "on");
}

TEST_CASE("within a transaction the mark holds for its statement alone") {
    const auto database = Database::postgresql();
    PostgresConnection connection(database->url().substr(11), true);
    const auto said = [&](std::string_view sql) {
        std::string text;
        connection.each(sql, "t", {}, [&](const Row& row) { text = row.text(0); });
        return text;
    };
    const auto settings = [&] {
        return said(
            "SELECT pg_catalog.current_setting('plan_cache_mode') || ' ' || pg_catalog.current_setting('enable_sort')");
    };
    const auto marked = [&] {
        return said(SVC_ONE_PLAN
                    "SELECT pg_catalog.current_setting('plan_cache_mode') || ' ' ||"
                    " pg_catalog.current_setting('enable_sort')");
    };
    for (int run = 0; run < 2; ++run) {
        CHECK(marked() == "force_generic_plan off");
        CHECK(settings() == "auto on");
        connection.begin(Durability::durable);
        CHECK(marked() == "force_generic_plan off");  // in the trip of BEGIN
        CHECK(settings() == "auto on");
        CHECK(marked() == "force_generic_plan off");
        CHECK(marked() == "force_generic_plan off");
        CHECK(settings() == "auto on");
        connection.commit();
        connection.begin_snapshot();
        CHECK(marked() == "force_generic_plan off");
        CHECK(settings() == "force_custom_plan on");
        connection.commit();
        CHECK(settings() == "auto on");
        // A marked statement that fails leaves nothing to what follows its savepoint.
        connection.begin(Durability::durable);
        connection.savepoint();
        CHECK_THROWS(said(SVC_ONE_PLAN "SELECT CAST(1 / (SELECT COUNT(*) FROM svc_none) AS TEXT)"));
        connection.rollback_to_savepoint();
        CHECK(settings() == "auto on");
        connection.rollback();
    }
}

TEST_CASE("a page in an index's order reads a page, also where rows lie in another order") {
    const auto database = Database::postgresql();
    PostgresConnection connection(database->url().substr(11), true);
    connection.begin(Durability::durable);
    connection.run("CREATE TABLE svc_scattered (id BIGINT PRIMARY KEY, at BIGINT NOT NULL, text TEXT NOT NULL)", {});
    connection.run("CREATE INDEX svc_scattered_at ON svc_scattered (at, id)", {});
    connection.run(
        "INSERT INTO svc_scattered SELECT i, (i * 7919) % 20011, repeat('x', 400)"
        " FROM generate_series(1, 20000) AS i",
        {});
    connection.run("ANALYZE svc_scattered", {});
    connection.commit();
    connection.begin(Durability::durable);
    std::int64_t rows = 0, read = 0;
    connection.each(SVC_ONE_PLAN
                    "SELECT id, text FROM svc_scattered WHERE at >= :from AND at < :to"
                    " ORDER BY at DESC, id DESC LIMIT :most",
                    "it", {{"from", INT64_MIN}, {"to", INT64_MAX}, {"most", 25}}, [&](const Row&) { ++rows; });
    connection.each(
        "SELECT seq_tup_read + idx_tup_fetch FROM pg_catalog.pg_stat_xact_user_tables"
        " WHERE relname = 'svc_scattered'",
        "i", {}, [&](const Row& row) { read = row.integer(0); });
    connection.commit();
    CHECK(rows == 25);
    CHECK(read == 25);
}

TEST_CASE("PostgreSQL is told in a comment which request a transaction is of, and nothing else by its id") {
    const auto database = Database::postgresql();
    PostgresConnection connection(database->url().substr(11), true), watching(database->url().substr(11), true);
    std::int64_t pid = 0;
    connection.each("SELECT CAST(pg_backend_pid() AS BIGINT)", "i", {}, [&](const Row& row) { pid = row.integer(0); });
    const auto last = [&] {
        std::string text;
        watching.each("SELECT query FROM pg_catalog.pg_stat_activity WHERE pid = :pid", "t", {{"pid", pid}},
                      [&](const Row& row) { text = row.text(0); });
        return text;
    };
    const auto transaction = [&](const std::string& id) {
        const Correlation of(id);
        connection.begin(Durability::durable);
        connection.settle();
        auto said = last();
        connection.run("CREATE TEMPORARY TABLE svc_probe AS SELECT 1 AS id", {});
        connection.run("DROP TABLE svc_probe", {});
        connection.commit();
        return said + "; " + last();
    };
    CHECK(transaction("Abc-0123456789") ==
          "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE /* request Abc-0123456789 */;"
          " COMMIT /* request Abc-0123456789 */");
    for (const auto* odd : {"", "*/; SELECT 12", "12345678 */ ROLLBACK", "/* 1234567", "12345678\n", "12345678;"}) {
        CAPTURE(odd);
        CHECK(transaction(odd) == "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE; COMMIT");
    }
    std::int64_t prepared = 0;
    connection.each("SELECT COUNT(*) FROM pg_catalog.pg_prepared_statements WHERE statement = 'DROP TABLE svc_probe'",
                    "i", {}, [&](const Row& row) { prepared = row.integer(0); });
    CHECK(prepared == 1);
}

TEST_CASE("a statement that failed as it was first asked is good for the next time") {
    const auto database = Database::postgresql();
    PostgresConnection connection(database->url().substr(11), true);
    const auto made = [&](const std::string& like) {
        std::int64_t count = 0;
        connection.each(
            "SELECT COUNT(*) FROM pg_catalog.pg_prepared_statements WHERE strpos(statement, CAST(:like AS TEXT)) = 1",
            "i", {{"like", like}}, [&](const Row& row) { count = row.integer(0); });
        return count;
    };
    const std::string add = "INSERT INTO svc_probe (id) VALUES (:id)", remove = "DELETE FROM svc_probe WHERE id = :id";
    connection.begin(Durability::durable);
    connection.run("CREATE TABLE svc_probe (id BIGINT PRIMARY KEY)", {});
    connection.run("INSERT INTO svc_probe SELECT 1", {});
    connection.commit();

    connection.begin(Durability::durable);
    CHECK_THROWS_AS((void)connection.run(add, {{"id", 1}}), UniqueViolation);  // itself
    connection.rollback();
    connection.begin(Durability::durable);
    connection.run_later(add, {{"id", 1}});
    CHECK_THROWS_AS((void)connection.run(remove, {{"id", 1}}), UniqueViolation);  // what goes before it, so not itself
    connection.rollback();
    CHECK(made("INSERT INTO svc_probe (id)") == 1);
    CHECK(made("DELETE") == 0);
    connection.begin(Durability::durable);
    CHECK(connection.run(remove, {{"id", 1}}) == 1);
    CHECK(connection.run(add, {{"id", 2}}) == 1);
    connection.commit();
    CHECK(made("INSERT INTO svc_probe (id)") == 1);
    CHECK(made("DELETE") == 1);

    for (int turn = 0; turn < 2; ++turn)
        CHECK_THROWS_AS(connection.each("SELECT no_such FROM svc_probe", "i", {}, [](const Row&) {}), Failure);
    std::int64_t kept = 0;
    connection.each("SELECT id FROM svc_probe", "i", {}, [&](const Row& row) { kept += row.integer(0); });
    CHECK(kept == 2);
    CHECK(!connection.broken());
}

TEST_CASE("a session on PostgreSQL has its bounds of time, and writes in transactions alone") {
    const auto database = Database::postgresql();
    PostgresConnection connection(database->url().substr(11), true);
    const std::pair<std::string_view, std::string_view> wanted[] = {{"statement_timeout", "5s"},
                                                                    {"lock_timeout", "3s"},
                                                                    {"idle_in_transaction_session_timeout", "30s"},
                                                                    {"standard_conforming_strings", "on"},
                                                                    {"default_transaction_isolation", "read committed"},
                                                                    {"default_transaction_read_only", "on"},
                                                                    {"client_encoding", "UTF8"}};
    for (const auto& each : wanted) {
        CAPTURE(each.first);
        std::string found;
        connection.each("SELECT pg_catalog.current_setting(:name)", "t", {{"name", each.first}},
                        [&](const Row& row) { found = row.text(0); });
        CHECK(found == each.second);
    }
}

TEST_CASE("a session opened ahead is there for the next who needs one, and takes no place of another") {
    tests::each_database([](Database& database) {
        CAPTURE(database.name());
        auto options = database.options();
        options.sessions = 2;
        const auto store = store::open(options);
        const auto before = activity(*store).connects;
        for (int times = 0; times < 2; ++times)
            const auto opening = open_another(*store);
        CHECK(activity(*store).connects == before + 1);
        store->read([&](Session&) { std::jthread beside([&] { store->read([](Session&) {}); }); });
        CHECK(activity(*store).connects == before + 1);
        CHECK(activity(*store).leases_refused == 0);
    });
}

TEST_CASE("a session outlives a disk without room: no other could be had in its place") {
    const auto database = Database::postgresql();
    const auto store = database->open();
    const auto before = activity(*store).connects;
    for (const char* lack : {"disk_full", "out_of_memory"}) {
        CAPTURE(lack);
        CHECK_THROWS_AS((void)store->write([&](Transaction& tx) -> Result<void> {
            tx.run(std::string("DO 'BEGIN RAISE EXCEPTION USING ERRCODE = $lack$") + lack + "$lack$; END'", {});
            return {};
        }),
                        Unavailable);
        CHECK(store->reading<std::int64_t>([](Session& session) { return session.number("SELECT 1", {}); }) == 1);
        CHECK_NOTHROW(tests::execute(*store, {"CREATE TABLE IF NOT EXISTS svc_probe (id BIGINT PRIMARY KEY)"}));
    }
    CHECK(activity(*store).connects == before);
}
