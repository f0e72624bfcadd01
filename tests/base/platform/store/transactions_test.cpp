// Commits, rollbacks and the reports of failures, on both databases alike.
#include <atomic>
#include <thread>

#include <doctest/doctest.h>

#include "base/platform/store/open.hpp"
#include "shared/core/log.hpp"
#include "shared/core/no_wait.hpp"
#include "tests/support/databases.hpp"

using namespace svc;
using namespace svc::store;
using tests::Database;
using tests::each_database;

namespace {

std::unique_ptr<Store> with_tables(Database& database) {
    auto store = database.open();
    tests::execute(*store,
                   {"CREATE TABLE svc_probe (id BIGINT PRIMARY KEY, code TEXT CONSTRAINT svc_probe_code UNIQUE,"
                    " n BIGINT NOT NULL DEFAULT 0 CONSTRAINT svc_probe_n CHECK (n BETWEEN 0 AND 9))",
                    "CREATE TABLE svc_child (id BIGINT PRIMARY KEY, probe BIGINT NOT NULL REFERENCES svc_probe (id))"});
    return store;
}

std::int64_t count(Store& store) {
    return store.reading<std::int64_t>(
        [](Session& session) { return session.number("SELECT COUNT(*) FROM svc_probe", {}); });
}

class CapturedLog {
  public:
    explicit CapturedLog(std::string& into) { log::redirect(&into); }
    ~CapturedLog() { log::redirect(nullptr); }
    CapturedLog(const CapturedLog&) = delete;
    CapturedLog& operator=(const CapturedLog&) = delete;
};

void add(Session& session, std::int64_t id, std::string_view code) {
    session.run("INSERT INTO svc_probe (id, code) VALUES (:id, :code)", {{"id", id}, {"code", code}});
}

Result<void> add_one(Store& store, std::int64_t id, std::string_view code) {
    return store.write([&](Transaction& tx) -> Result<void> {
        add(tx, id, code);
        return {};
    });
}

}  // namespace

TEST_CASE("success commits, an error and an exception roll back") {
    each_database([](Database& database) {
        CAPTURE(database.name());
        const auto store = with_tables(database);
        REQUIRE(add_one(*store, 1, "a"));
        const auto refused = store->write([](Transaction& tx) -> Result<void> {
            add(tx, 2, "b");
            return errc::sold_out;
        });
        REQUIRE(!refused);
        CHECK(&refused.error().code() == &errc::sold_out);
        CHECK_THROWS_WITH((void)store->write([](Transaction& tx) -> Result<void> {
            add(tx, 3, "c");
            throw std::runtime_error("broken");
        }),
                          "broken");
        CHECK(count(*store) == 1);
    });
}

TEST_CASE("a failed statement that was swallowed cannot be committed") {
    each_database([](Database& database) {
        CAPTURE(database.name());
        const auto store = with_tables(database);
        REQUIRE(add_one(*store, 1, "a"));
        CHECK_THROWS_AS((void)store->write([](Transaction& tx) -> Result<void> {
            add(tx, 2, "b");
            try {
                add(tx, 3, "a");
            } catch (const UniqueViolation&) {
            }
            return {};
        }),
                        Failure);
        CHECK(count(*store) == 1);
        // Nor does anything run after it.
        bool ran = false;
        CHECK_THROWS_AS((void)store->write([&](Transaction& tx) -> Result<void> {
            try {
                add(tx, 3, "a");
            } catch (const UniqueViolation&) {
            }
            add(tx, 4, "d");
            ran = true;
            return {};
        }),
                        Failure);
        CHECK(!ran);
        CHECK(count(*store) == 1);
    });
}

TEST_CASE("violations are told by type and constraint, without values") {
    each_database([](Database& database) {
        CAPTURE(database.name());
        const auto store = with_tables(database);
        REQUIRE(add_one(*store, 1, "secret-code"));
        const auto failing = [&](std::string_view sql, const Params& params) {
            (void)store->write([&](Transaction& tx) -> Result<void> {
                tx.run(sql, params);
                return {};
            });
        };
        const bool lite = database.dialect() == Dialect::sqlite;
        const auto add_code = "INSERT INTO svc_probe (id, code) VALUES (:id, :code)";
        CHECK_THROWS_WITH_AS(failing(add_code, {{"id", 2}, {"code", "secret-code"}}),
                             lite ? "svc_probe.code" : "svc_probe_code", UniqueViolation);
        CHECK_THROWS_WITH_AS(failing(add_code, {{"id", 1}, {"code", "other"}}),
                             lite ? "svc_probe.id" : "svc_probe_pkey", UniqueViolation);
        CHECK_THROWS_WITH_AS(failing("UPDATE svc_probe SET n = :n", {{"n", 10}}), "svc_probe_n", ConstraintViolation);
        CHECK_THROWS_WITH_AS(failing("INSERT INTO svc_child (id, probe) VALUES (1, :probe)", {{"probe", nullptr}}),
                             "svc_child.probe", ConstraintViolation);
        CHECK_THROWS_AS(failing("INSERT INTO svc_child (id, probe) VALUES (1, :probe)", {{"probe", 99}}),
                        ConstraintViolation);
    });
}

TEST_CASE("a refused statement shows neither SQL nor values, in what() and in the log") {
    each_database([](Database& database) {
        CAPTURE(database.name());
        const auto store = with_tables(database);
        std::string logged, said;
        const CapturedLog captured(logged);
        try {
            store->read([](Session& session) {
                (void)session.number("SELECT nothing FROM svc_probe WHERE code = :code", {{"code", "canary"}});
            });
        } catch (const Failure& failure) {
            said = failure.what();
        }
        CHECK(said == "The database refused a statement.");
        CHECK(logged.find("database_failed") != std::string::npos);
        CHECK(logged.find("canary") == std::string::npos);
        CHECK(logged.find("SELECT") == std::string::npos);
    });
}

TEST_CASE("an attempt that fails takes back its own part alone") {
    each_database([](Database& database) {
        CAPTURE(database.name());
        const auto store = with_tables(database);
        int after = 0;
        const auto done = store->write([&](Transaction& tx) -> Result<void> {
            add(tx, 1, "a");
            tx.after_commit([&] { after += 1; });
            const auto refused = tx.attempt([&]() -> Result<void> {
                add(tx, 2, "b");
                tx.after_commit([&] { after += 10; });
                return errc::sold_out;
            });
            CHECK(!refused);
            CHECK_THROWS_AS((void)tx.attempt([&]() -> Result<void> {
                add(tx, 3, "a");
                return {};
            }),
                            UniqueViolation);
            CHECK_THROWS_AS((void)tx.attempt([&]() -> Result<void> {
                try {
                    add(tx, 3, "a");
                } catch (const UniqueViolation&) {
                }
                return {};
            }),
                            Failure);
            // Attempts nest.
            const auto outer = tx.attempt([&]() -> Result<void> {
                add(tx, 4, "d");
                const auto inner = tx.attempt([&]() -> Result<void> {
                    add(tx, 5, "e");
                    return errc::conflict;
                });
                CHECK(!inner);
                add(tx, 6, "f");
                return {};
            });
            CHECK(outer);
            return {};
        });
        REQUIRE(done);
        CHECK(after == 1);
        CHECK(store->reading<std::vector<std::int64_t>>([](Session& session) {
            return session.all<std::int64_t>("SELECT id FROM svc_probe ORDER BY id", "i", {},
                                             [](const Row& row) { return row.integer(0); });
        }) == std::vector<std::int64_t>{1, 4, 6});
    });
}

TEST_CASE("what is left for after the commit runs on the caller's thread, once, and only then") {
    each_database([](Database& database) {
        CAPTURE(database.name());
        const auto store = with_tables(database);
        std::vector<int> order;
        std::int64_t seen = -1;
        std::thread::id ran_on;
        REQUIRE(store->write([&](Transaction& tx) -> Result<void> {
            tx.after_commit([&] {
                order.push_back(2);
                seen = count(*store);
                ran_on = std::this_thread::get_id();
                throw std::runtime_error("too late to matter");
            });
            tx.after_commit([&] { order.push_back(3); });
            add(tx, 1, "a");
            order.push_back(1);
            return {};
        }));
        CHECK(order == std::vector<int>{1, 2, 3});
        CHECK(seen == 1);
        CHECK(ran_on == std::this_thread::get_id());
        (void)store->write([&](Transaction& tx) -> Result<void> {
            tx.after_commit([&] { order.push_back(4); });
            return errc::conflict;
        });
        CHECK(order.size() == 3);
    });
}

TEST_CASE("a transaction inside another one is refused, and may follow it after the commit") {
    each_database([](Database& database) {
        CAPTURE(database.name());
        const auto store = with_tables(database);
        bool followed = false;
        REQUIRE(store->write([&](Transaction& tx) -> Result<void> {
            CHECK_THROWS_AS((void)add_one(*store, 2, "b"), std::logic_error);
            add(tx, 1, "a");
            tx.after_commit([&] { followed = static_cast<bool>(add_one(*store, 3, "c")); });
            return {};
        }));
        CHECK(followed);
        CHECK(count(*store) == 2);
    });
}

TEST_CASE("a conflict runs the work again, a lasting one is Unavailable") {
    each_database([](Database& database) {
        CAPTURE(database.name());
        if (database.dialect() == Dialect::sqlite)
            return;  // one writer meets nobody there
        const auto store = with_tables(database);
        int runs = 0, after = 0;
        REQUIRE(store->write([&](Transaction& tx) -> Result<void> {
            add(tx, 1, "a");
            tx.after_commit([&] { ++after; });
            if (++runs < 3)
                throw Retryable("met another one");
            return {};
        }));
        CHECK(runs == 3);
        CHECK(after == 1);
        CHECK(activity(*store).retries == 2);
        CHECK_THROWS_AS((void)store->write([](Transaction&) -> Result<void> { throw Retryable("again"); }),
                        Unavailable);
    });
}

TEST_CASE("two transactions that deadlock both end well") {
    each_database([](Database& database) {
        CAPTURE(database.name());
        const auto store = with_tables(database);
        REQUIRE(add_one(*store, 1, "a"));
        REQUIRE(add_one(*store, 2, "b"));
        const auto bump_both = [&](std::int64_t first, std::int64_t second) {
            for (int i = 0; i < 4; ++i)
                REQUIRE(store->write([&](Transaction& tx) -> Result<void> {
                    tx.run("UPDATE svc_probe SET n = n + 1 WHERE id = :id", {{"id", first}});
                    tx.run("UPDATE svc_probe SET n = n + 1 WHERE id = :id", {{"id", second}});
                    return {};
                }));
        };
        std::thread other([&] { bump_both(2, 1); });
        bump_both(1, 2);
        other.join();
        CHECK(store->reading<std::int64_t>(
                  [](Session& session) { return session.number("SELECT SUM(n) FROM svc_probe", {}); }) == 16);
    });
}

TEST_CASE("the address is checked at the start") {
    CHECK_THROWS_AS((void)open({.url = "mysql:x"}), std::runtime_error);
    CHECK_THROWS_AS((void)open({.url = "sqlite:"}), std::runtime_error);
    CHECK_THROWS_AS((void)open({.url = "sqlite::memory:"}), std::runtime_error);
    CHECK_THROWS_AS((void)open({.url = "sqlite:/nowhere/at/all.db"}), std::runtime_error);
    CHECK_THROWS_AS((void)open({.url = "postgresql:host=/nowhere"}), std::runtime_error);
    CHECK_THROWS_AS((void)open({.url = "postgresql:nonsense"}), std::runtime_error);
    CHECK_THROWS_AS((void)open({.url = "sqlite:/tmp/x.db", .sessions = 0}), std::runtime_error);
}

TEST_CASE("both databases say that they are durable") {
    each_database([](Database& database) {
        CAPTURE(database.name());
        const auto store = database.open();
        const auto settings = durability(*store);
        CHECK(settings.size() >= 2);
        for (const auto& setting : settings) {
            CAPTURE(setting.name);
            CHECK(setting.ok);
        }
    });
}

TEST_CASE("a PostgreSQL that acknowledges before it is on disk is refused") {
    each_database([](Database& database) {
        if (database.dialect() == Dialect::sqlite)
            return;
        auto options = database.options();
        options.url += " options='-c synchronous_commit=off'";
        CHECK_THROWS_WITH((void)open(options),
                          "The database server acknowledges before data is on disk: synchronous_commit is off.");
        options.require_durable = false;
        CHECK_NOTHROW((void)open(options));
    });
}

TEST_CASE("a call that finds no free session in time is Unavailable") {
    each_database([](Database& database) {
        CAPTURE(database.name());
        auto options = database.options();
        options.sessions = 1;
        options.lease_time = std::chrono::milliseconds(50);
        const auto store = open(options);
        store->read([&](Session&) { CHECK_THROWS_AS(store->read([](Session&) {}), Unavailable); });
        CHECK_NOTHROW(store->read([](Session& session) { (void)session.number("SELECT 1", {}); }));
        CHECK(activity(*store).leases_refused == 1);
    });
}

TEST_CASE("on a thread that must not wait, SQLite reads with an idle session and everything else leaves") {
    each_database([](Database& database) {
        CAPTURE(database.name());
        auto options = database.options();
        options.sessions = 1;
        const auto store = open(options);
        const auto one = [&] {
            return store->reading<std::int64_t>([](Session& session) { return session.number("SELECT 1", {}); });
        };
        const bool embedded = store->dialect() == Dialect::sqlite;
        bool ran = false;
        {
            const NoWait here;
            if (embedded)
                CHECK(one() == 1);
            else
                CHECK_THROWS_AS(one(), WouldWait);
            CHECK_THROWS_AS((void)store->write([&](Transaction&) -> Result<void> {
                ran = true;
                return {};
            }),
                            WouldWait);
        }
        CHECK_FALSE(ran);
        store->read([&](Session&) {
            const NoWait here;
            CHECK_THROWS_AS(one(), WouldWait);
        });
        CHECK(one() == 1);
        CHECK(activity(*store).leases_refused == 0);
    });
}

namespace {

// Whether a commit would wait for the disk, asked inside the transaction it belongs to.
bool waits_for_disk(Session& session) {
    if (session.dialect() == Dialect::sqlite)
        return session.number("SELECT synchronous FROM pragma_synchronous", {}) == 2;
    return session.number("SELECT CASE current_setting('synchronous_commit') WHEN 'off' THEN 0 ELSE 1 END", {}) == 1;
}

}  // namespace

TEST_CASE("a relaxed write does not wait for the disk, and a durable one always does") {
    each_database([](Database& database) {
        CAPTURE(database.name());
        const auto store = with_tables(database);
        bool waits = true;
        const auto look = [&](Transaction& tx) -> Result<void> {
            waits = waits_for_disk(tx);
            return {};
        };
        for (int turn = 0; turn < 2; ++turn) {
            REQUIRE(store->write_relaxed(look));
            CHECK_FALSE(waits);
            for (const auto& setting : durability(*store))
                CHECK_MESSAGE(setting.ok, setting.name);
            REQUIRE(store->write_relaxed(look));
            REQUIRE(store->write(look));
            CHECK(waits);
        }
        CHECK_FALSE(store->transact<int>(
            [](Transaction& tx) -> Result<int> {
                add(tx, 1, "a");
                return errc::sold_out;
            },
            Durability::relaxed));
        CHECK(count(*store) == 0);
    });
}

TEST_CASE("work that shares its commit with durable work is as durable, whoever fails beside it") {
    each_database([](Database& database) {
        CAPTURE(database.name());
        const auto store = with_tables(database);
        std::atomic<int> not_durable = 0, refused = 0;
        std::vector<std::thread> writers;
        for (int writer = 0; writer < 6; ++writer)
            writers.emplace_back([&, writer] {
                for (int i = 0; i < 30; ++i) {
                    const auto id = std::int64_t{writer} * 1000 + i;
                    const auto work = [&](Transaction& tx) -> Result<void> {
                        add(tx, id, std::to_string(id));
                        if (writer % 2 == 0 && !waits_for_disk(tx))
                            ++not_durable;
                        if (i % 5 == 4)
                            return errc::sold_out;
                        return {};
                    };
                    if (!(writer % 2 == 0 ? store->write(work) : store->write_relaxed(work)))
                        ++refused;
                }
            });
        for (auto& writer : writers)
            writer.join();
        CHECK(not_durable == 0);
        CHECK(refused == 36);
        CHECK(count(*store) == 6 * 24);
    });
}
