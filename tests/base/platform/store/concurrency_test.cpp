// Many writers at once: group commit, and what one of them may not do to the others.
#include <atomic>
#include <set>
#include <thread>

#include <doctest/doctest.h>

#include "shared/store/behind.hpp"
#include "shared/store/snapshot.hpp"
#include "tests/support/databases.hpp"

using namespace svc;
using namespace svc::store;
using tests::Database;
using tests::each_database;

namespace {

constexpr int writers = 16, writes = 200;

void in_parallel(int count, const std::function<void(int)>& work) {
    std::vector<std::thread> threads;
    for (int i = 0; i < count; ++i)
        threads.emplace_back([&, i] { work(i); });
    for (auto& thread : threads)
        thread.join();
}

std::unique_ptr<Store> with_table(Database& database) {
    auto options = database.options();
    options.sessions = 8;
    options.lease_time = std::chrono::seconds(60);
    auto store = open(options);
    tests::execute(*store, {"CREATE TABLE svc_probe (id BIGINT PRIMARY KEY)"});
    return store;
}

Result<void> add(Store& store, std::int64_t id) {
    return store.write([&](Transaction& tx) -> Result<void> {
        tx.run("INSERT INTO svc_probe (id) VALUES (:id)", {{"id", id}});
        return {};
    });
}

std::set<std::int64_t> ids(Store& store) {
    std::set<std::int64_t> found;
    store.read([&](Session& session) {
        session.each("SELECT id FROM svc_probe", "i", {}, [&](const Row& row) { found.insert(row.integer(0)); });
    });
    return found;
}

}  // namespace

TEST_CASE("every acknowledged write of sixteen writers is there, on SQLite with fewer commits than writes") {
    each_database([](Database& database) {
        CAPTURE(database.name());
        const auto store = with_table(database);
        const auto before = activity(*store);
        std::atomic<int> acknowledged = 0;
        in_parallel(writers, [&](int writer) {
            for (int i = 0; i < writes; ++i)
                if (add(*store, writer * writes + i))
                    ++acknowledged;
        });
        const auto after = activity(*store);
        CHECK(acknowledged == writers * writes);
        CHECK(ids(*store).size() == writers * writes);
        CHECK(after.transactions - before.transactions == writers * writes);
        const auto commits = after.commits - before.commits;
        MESSAGE(database.name() << ": " << writers * writes << " writes in " << commits << " commits");
        if (database.dialect() == Dialect::sqlite)
            CHECK(commits < writers * writes);
        else
            CHECK(commits == writers * writes);
    });
}

TEST_CASE("without group commit each write has its own") {
    const auto database = Database::sqlite();
    auto options = database->options();
    options.group_commit = false;
    options.lease_time = std::chrono::seconds(60);
    const auto store = open(options);
    tests::execute(*store, {"CREATE TABLE svc_probe (id BIGINT PRIMARY KEY)"});
    in_parallel(4, [&](int writer) {
        for (int i = 0; i < 20; ++i)
            CHECK(add(*store, writer * 20 + i));
    });
    CHECK(activity(*store).commits == 81);
    CHECK(ids(*store).size() == 80);
}

TEST_CASE("a write that fails takes none of its neighbours with it") {
    each_database([](Database& database) {
        CAPTURE(database.name());
        const auto store = with_table(database);
        REQUIRE(add(*store, 999'999));
        std::atomic<int> wrong = 0, after = 0;
        in_parallel(writers, [&](int writer) {
            for (int i = 0; i < 40; ++i) {
                const std::int64_t id = writer * 40 + i;
                const auto fate = i % 4;
                bool refused = false, threw = false;
                try {
                    const auto done = store->write([&](Transaction& tx) -> Result<void> {
                        tx.after_commit([&] { ++after; });
                        tx.run("INSERT INTO svc_probe (id) VALUES (:id)", {{"id", id}});
                        if (fate == 1)
                            return errc::sold_out;
                        if (fate == 2)
                            throw std::runtime_error("broken");
                        if (fate == 3)
                            tx.run("INSERT INTO svc_probe (id) VALUES (:id)", {{"id", 999'999}});
                        return {};
                    });
                    refused = !done;
                } catch (const UniqueViolation&) {
                    threw = fate == 3;
                } catch (const std::runtime_error&) {
                    threw = fate == 2;
                }
                if (refused != (fate == 1) || threw != (fate >= 2))
                    ++wrong;
            }
        });
        CHECK(wrong == 0);
        CHECK(after == writers * 10);
        const auto found = ids(*store);
        CHECK(found.size() == writers * 10 + 1);
        for (const auto id : found)
            CHECK((id % 4 == 0 || id == 999'999));
    });
}

TEST_CASE("a writer that waits too long for the lane is Unavailable and leaves nothing behind") {
    const auto database = Database::sqlite();
    auto options = database->options();
    options.lease_time = std::chrono::milliseconds(30);
    const auto store = open(options);
    tests::execute(*store, {"CREATE TABLE svc_probe (id BIGINT PRIMARY KEY)"});
    std::atomic<bool> refused = false;
    const auto held = store->write([&](Transaction& tx) -> Result<void> {
        tx.run("INSERT INTO svc_probe (id) VALUES (1)", {});
        std::thread other([&] {
            try {
                (void)add(*store, 2);
            } catch (const Unavailable&) {
                refused = true;
            }
        });
        other.join();
        return {};
    });
    CHECK(held);
    CHECK(refused);
    CHECK(ids(*store) == std::set<std::int64_t>{1});
    CHECK(add(*store, 3));
}

TEST_CASE("while another program has the file one writer waits for it, the others are Unavailable at once") {
    const auto database = Database::sqlite();
    auto options = database->options();
    options.lease_time = std::chrono::milliseconds(300);
    const auto store = open(options);
    const auto another_program = open(options);
    tests::execute(*store, {"CREATE TABLE svc_probe (id BIGINT PRIMARY KEY)"});
    const auto before = activity(*store).leases_refused;
    const auto behind_another = [&] { return activity(*store).leases_refused - before; };
    // Until the one that waits for the file gives up, after 5 s: 17 of the others at most, were each to wait 0.3 s.
    std::atomic<std::int64_t> refused = 0;
    const auto waiter_gave_up = [&] { return refused > behind_another(); };
    std::atomic<bool> over = false;
    const auto write_often = [&](std::int64_t id) {
        while (!over) {
            try {
                static_cast<void>(add(*store, id));
                return;
            } catch (const Unavailable&) {
                ++refused;
                over = over || waiter_gave_up() || behind_another() >= 100;
            }
        }
    };
    std::vector<std::thread> writers_of_two;
    const auto held = another_program->write([&](Transaction& tx) -> Result<void> {
        tx.run("INSERT INTO svc_probe (id) VALUES (1)", {});
        for (const std::int64_t id : {2, 3})
            writers_of_two.emplace_back(write_often, id);
        while (!over)
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        return {};
    });
    for (auto& writer : writers_of_two)
        writer.join();
    CHECK(held);
    CHECK_FALSE(waiter_gave_up());
    CHECK(behind_another() >= 100);
    CHECK(ids(*store).size() == 2);  // the one that waited has written
    CHECK(add(*store, 4));
}

TEST_CASE("readers do not wait for a writer and do not see what is not committed") {
    each_database([](Database& database) {
        CAPTURE(database.name());
        const auto store = with_table(database);
        CHECK(store->write([&](Transaction& tx) -> Result<void> {
            tx.run("INSERT INTO svc_probe (id) VALUES (1)", {});
            CHECK(ids(*store).empty());
            return {};
        }));
        CHECK(ids(*store).size() == 1);
    });
}

TEST_CASE("a reader that left early holds no lock and keeps no old state") {
    each_database([](Database& database) {
        CAPTURE(database.name());
        auto options = database.options();
        options.sessions = 1;
        const auto store = open(options);
        tests::execute(*store, {"CREATE TABLE svc_probe (id BIGINT PRIMARY KEY)"});
        for (int id = 0; id < 300; ++id)
            REQUIRE(add(*store, id));
        CHECK_THROWS_WITH(store->read([](Session& session) {
            session.each("SELECT id FROM svc_probe", "i", {}, [](const Row&) { throw std::runtime_error("enough"); });
        }),
                          "enough");
        REQUIRE(add(*store, 300));
        CHECK(ids(*store).size() == 301);
        tests::execute(*store, {"DROP TABLE svc_probe"});
    });
}

TEST_CASE("long work runs alone, after whoever waits, is told that somebody does, and has its turn in the end") {
    const auto database = Database::sqlite();
    auto store = with_table(*database);
    std::vector<int> order;  // written inside transactions, one after the other
    const auto note = [&](std::int64_t id, int as) {
        return store->write([&, id, as](Transaction& tx) -> Result<void> {
            tx.run("INSERT INTO svc_probe (id) VALUES (:id)", {{"id", id}});
            order.push_back(as);
            return {};
        });
    };
    bool waited_before = true, waited_after = false;
    std::vector<std::thread> threads;
    const auto before = activity(*store).commits;
    REQUIRE(store->write([&](Transaction& tx) -> Result<void> {
        waited_before = others_wait(tx);
        threads.emplace_back([&] {
            const Behind behind;
            CHECK(note(1, 2));
        });
        std::this_thread::sleep_for(std::chrono::milliseconds(30));
        CHECK_FALSE(others_wait(tx));  // long work does not count
        for (int i = 0; i < 3; ++i)
            threads.emplace_back([&, i] { CHECK(note(10 + i, 1)); });
        const auto& awaited = dynamic_cast<const Awaited&>(tx);
        for (int tries = 0; tries < 60'000 && awaited.waiting() < 3; ++tries)
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        waited_after = others_wait(tx);
        return {};
    }));
    for (auto& thread : threads)
        thread.join();
    CHECK_FALSE(waited_before);
    CHECK(waited_after);
    CHECK(order == std::vector<int>{1, 1, 1, 2});
    CHECK(activity(*store).commits == before + 3);  // the first, the three together, the long work

    // Others without end do not keep it off: it has its turn after 200 ms.
    std::atomic<bool> over = false;
    std::vector<std::thread> sellers;
    for (int each = 0; each < 3; ++each)
        sellers.emplace_back([&, each] {
            for (std::int64_t id = 1000 * (each + 1); !over; ++id)
                CHECK(add(*store, id));
        });
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    {
        const Behind behind;
        CHECK(add(*store, 2));
    }
    over = true;
    for (auto& seller : sellers)
        seller.join();
    CHECK(ids(*store).count(2) == 1);
}

TEST_CASE("a held snapshot shows one state to its end, whatever is committed meanwhile, and the next read shows that") {
    each_database([](Database& database) {
        auto store = with_table(database);
        REQUIRE(add(*store, 1));
        const auto count = [](Session& session) { return session.number("SELECT COUNT(*) FROM svc_probe", {}); };
        store->read([&](Session& session) {
            hold_snapshot(session);
            hold_snapshot(session);  // no matter
            CHECK(count(session) == 1);
            std::thread([&] { CHECK(add(*store, 2)); }).join();
            CHECK(count(session) == 1);
            CHECK(ids(*store) == std::set<std::int64_t>{1, 2});
        });
        // The session is lent again, without the snapshot.
        for (int i = 0; i < 12; ++i)
            store->read([&](Session& session) { CHECK(count(session) == 2); });
        CHECK_THROWS_AS(static_cast<void>(store->write([](Transaction& tx) -> Result<void> {
                            hold_snapshot(tx);
                            return {};
                        })),
                        std::logic_error);
        CHECK(add(*store, 3));
    });
}
