// Actions on a database: when they fire, in which order, at least once whatever dies.
#include "base/platform/events/events.hpp"

#include <atomic>
#include <map>
#include <mutex>
#include <set>
#include <thread>

#include <doctest/doctest.h>

#include "shared/core/log.hpp"
#include "tests/support/databases.hpp"
#include "tests/support/faulty_store.hpp"
#include "tests/support/set_clock.hpp"

using namespace svc;
using namespace std::chrono_literals;
using events::Events;

namespace {

const hooks::Action created{"svc_thing_created", "A thing was made.", {"id", "thing"}};
const hooks::Action changed{"svc_thing_changed", "A thing was changed.", {"id"}};
const hooks::Filter priced{"svc_thing_price", "A price.", json::Kind::number, {}};

struct Site {
    explicit Site(tests::Database& database) : store(database.open_migrated()) {}
    std::unique_ptr<Events> process(const std::string& name, std::chrono::milliseconds lease = 60s,
                                    store::Store* through = nullptr) {
        auto made = std::make_unique<Events>(through ? *through : *store, clock, metrics,
                                             events::Options{.process = name, .lease = lease, .sweep_every = 50ms});
        made->declare(created);
        made->declare(changed);
        made->declare(priced);
        return made;
    }
    std::int64_t number(std::string_view sql) {
        return store->reading<std::int64_t>([&](store::Session& session) { return session.number(sql, {}); });
    }
    void emit(Events& events, const hooks::Action& action, int id) {
        REQUIRE(store->write([&](store::Transaction& tx) -> Result<void> {
            events.emit(tx, action, {id});
            return {};
        }));
    }

    tests::SetClock clock{"2026-05-04T10:00:00Z"};
    metrics::Registry metrics;
    std::unique_ptr<store::Store> store;
};

constexpr auto open_rows = "SELECT COUNT(*) FROM svc_domain_events WHERE dispatched_at IS NULL";

}  // namespace

TEST_CASE("listeners run after the commit, in the order of the rows, and never for what was rolled back") {
    tests::each_database([](tests::Database& db) {
        CAPTURE(db.name());
        Site site(db);
        const auto events = site.process("a");
        std::string seen;
        const auto note = [&](const char* mark) {
            return [&seen, &site, mark](const json::Array& a) {
                // Another session sees the row: it is committed.
                if (site.number("SELECT COUNT(*) FROM svc_domain_events") > 0)
                    seen += mark + a.at(0).number_text() + " ";
            };
        };
        REQUIRE(events->on("svc_thing_created", {.name = "late", .priority = 20}, note("l")));
        REQUIRE(events->on("svc_thing_created", {.name = "early"}, note("e")));
        REQUIRE(events->on("svc_thing_changed", {.name = "other"}, note("c")));
        REQUIRE(site.store->write([&](store::Transaction& tx) -> Result<void> {
            events->emit(tx, created, {1, json::Value::object({{"a", "\"quoted\""}})});
            events->emit(tx, changed, {1});
            events->emit(tx, created, {2});
            return {};
        }));
        CHECK(seen.empty());
        CHECK_FALSE(site.store->write([&](store::Transaction& tx) -> Result<void> {
            events->emit(tx, changed, {3});
            return errc::conflict;
        }));
        CHECK(events->drain());
        CHECK(seen == "e1 l1 c1 e2 l2 ");
        CHECK(site.number(open_rows) == 0);
        CHECK(site.number("SELECT COUNT(*) FROM svc_domain_events") == 3);
    });
}

TEST_CASE("an action nobody listens to is written as dispatched") {
    tests::each_database([](tests::Database& db) {
        CAPTURE(db.name());
        Site site(db);
        const auto events = site.process("a");
        site.emit(*events, created, 1);
        CHECK(site.number(open_rows) == 0);
        CHECK(site.number("SELECT COUNT(*) FROM svc_domain_events") == 1);
        const hooks::Action unknown{"svc_thing_unknown", "", {}};
        CHECK_THROWS_AS(static_cast<void>(site.store->write([&](store::Transaction& tx) -> Result<void> {
                            events->emit(tx, unknown, {});
                            return {};
                        })),
                        std::logic_error);
    });
}

TEST_CASE("one thread runs the listeners of many writers, all of them, and marks them in batches") {
    tests::each_database([](tests::Database& db) {
        CAPTURE(db.name());
        Site site(db);
        const auto events = site.process("a");
        std::map<int, int> seen;
        std::set<std::thread::id> threads_seen;
        REQUIRE(events->on("svc_thing_created", {.name = "count"}, [&](const json::Array& a) {
            threads_seen.insert(std::this_thread::get_id());
            ++seen[static_cast<int>(a.at(0).integer())];
        }));
        events->start();
        std::vector<std::thread> writers;
        for (int i = 0; i < 4; ++i)
            writers.emplace_back([&, i] {
                for (int k = 0; k < 100; ++k)
                    site.emit(*events, created, 1000 * i + k + 1);
            });
        for (auto& writer : writers)
            writer.join();
        CHECK(events->drain());
        CHECK(seen.size() == 400);
        CHECK(std::all_of(seen.begin(), seen.end(), [](const auto& each) { return each.second == 1; }));
        CHECK(threads_seen.size() == 1);
        CHECK(threads_seen.count(std::this_thread::get_id()) == 0);
        CHECK(site.number(open_rows) == 0);
        CHECK(site.number("SELECT COUNT(DISTINCT leased_by) FROM svc_domain_events") == 0);
    });
}

TEST_CASE("a listener that writes and fires again is followed to the end, and knows its event") {
    tests::each_database([](tests::Database& db) {
        CAPTURE(db.name());
        Site site(db);
        const auto events = site.process("a");
        std::vector<std::int64_t> ids;
        REQUIRE(events->on("svc_thing_created", {.name = "again"}, [&](const json::Array& a) {
            ids.push_back(events->event_id());
            site.emit(*events, changed, static_cast<int>(a.at(0).integer()));
        }));
        REQUIRE(events->on("svc_thing_changed", {.name = "end"},
                           [&](const json::Array&) { ids.push_back(events->event_id()); }));
        events->start();
        site.emit(*events, created, 1);
        events->stop();
        CHECK(ids == std::vector<std::int64_t>{1, 2});
        CHECK(events->event_id() == 0);
    });
}

TEST_CASE("what a dead process left is run by another one, once its lease has ended and not before") {
    tests::each_database([](tests::Database& db) {
        CAPTURE(db.name());
        Site site(db);
        const auto dead = site.process("dead"), alive = site.process("alive");
        std::vector<std::int64_t> seen;
        for (auto* one : {dead.get(), alive.get()})
            REQUIRE(one->on("svc_thing_created", {.name = "note"},
                            [&](const json::Array& a) { seen.push_back(a.at(0).integer()); }));
        site.emit(*dead, created, 1);
        site.emit(*dead, created, 2);
        CHECK(alive->sweep() == 0);
        CHECK(alive->drain());
        CHECK(seen.empty());
        tests::execute(*site.store, {"UPDATE svc_domain_events SET lease_until = lease_until - 61000000"});
        alive->start();  // sweeps by itself
        while (site.number(open_rows) > 0)
            std::this_thread::yield();
        CHECK(alive->drain());
        CHECK(seen == std::vector<std::int64_t>{1, 2});
        // It has lost its rows, so nothing is run twice.
        CHECK(dead->drain());
        CHECK(seen.size() == 2);
        CHECK(site.metrics.text().find("svc_events_taken_over_total 2") != std::string::npos);
    });
}

TEST_CASE("two processes that sweep at the same time share the rows and run none twice") {
    tests::each_database([](tests::Database& db) {
        CAPTURE(db.name());
        Site site(db);
        const auto dead = site.process("dead");
        REQUIRE(dead->on("svc_thing_created", {.name = "note"}, [](auto&) {}));
        for (int i = 1; i <= 60; ++i)
            site.emit(*dead, created, i);
        tests::execute(*site.store, {"UPDATE svc_domain_events SET lease_until = 0"});
        std::mutex mutex;
        std::map<std::int64_t, int> seen;
        std::vector<std::unique_ptr<Events>> processes;
        for (const char* name : {"a", "b", "c"}) {
            processes.push_back(site.process(name));
            REQUIRE(processes.back()->on("svc_thing_created", {.name = "note"}, [&](const json::Array& a) {
                const std::lock_guard lock(mutex);
                ++seen[a.at(0).integer()];
            }));
        }
        for (const auto& process : processes)
            process->start();
        while (site.number(open_rows) > 0)
            std::this_thread::yield();
        for (const auto& process : processes)
            process->stop();
        CHECK(seen.size() == 60);
        CHECK(std::all_of(seen.begin(), seen.end(), [](const auto& each) { return each.second == 1; }));
    });
}

TEST_CASE("an event waits for an older one of the same subject in another process, and for no other") {
    tests::each_database([](tests::Database& db) {
        CAPTURE(db.name());
        Site site(db);
        const auto first = site.process("first"), second = site.process("second");
        std::string seen;
        for (auto* one : {first.get(), second.get()})
            for (const char* name : {"svc_thing_created", "svc_thing_changed"})
                REQUIRE(one->on(name, {.name = "note"}, [&seen, one, &first](const json::Array& a) {
                    seen += (one == first.get() ? "1:" : "2:") + a.at(0).number_text() + " ";
                }));
        site.emit(*first, created, 7);
        site.emit(*second, changed, 7);
        site.emit(*second, changed, 8);
        CHECK_FALSE(second->drain(0ms));
        CHECK(seen == "2:8 ");
        CHECK(first->drain());
        CHECK(second->drain());
        CHECK(seen == "2:8 1:7 2:7 ");
    });
}

TEST_CASE("a failing listener changes nothing and is counted; a lost database keeps the event") {
    tests::each_database([](tests::Database& db) {
        CAPTURE(db.name());
        Site site(db);
        const auto events = site.process("a");
        int good = 0, tries = 0;
        REQUIRE(events->on("svc_thing_created", {.name = "bad"}, [](auto&) { throw std::runtime_error("no"); }));
        REQUIRE(events->on("svc_thing_created", {.name = "good"}, [&](auto&) { ++good; }));
        REQUIRE(events->on("svc_thing_changed", {.name = "needs the database"}, [&](auto&) {
            if (++tries < 3)
                throw store::Unavailable("gone");
        }));
        site.emit(*events, created, 1);
        site.emit(*events, changed, 2);
        CHECK(events->drain());
        CHECK(good == 1);
        CHECK(tries == 3);
        CHECK(site.number(open_rows) == 0);
        CHECK(site.metrics.text().find(R"(svc_listener_failures_total{hook="svc_thing_created",listener="bad"} 1)") !=
              std::string::npos);
    });
}

TEST_CASE("an event that never ends is given up, listed, and can be run again") {
    tests::each_database([](tests::Database& db) {
        CAPTURE(db.name());
        Site site(db);
        bool heals = false;
        int ran = 0;
        for (std::int64_t i = 0; i < events::most_attempts; ++i) {
            const auto dies = site.process("dies " + std::to_string(i));
            REQUIRE(dies->on("svc_thing_created", {.name = "bomb"}, [](auto&) {}));
            if (i == 0)
                site.emit(*dies, created, 1);
            else
                CHECK(dies->sweep() == 1);
            tests::execute(*site.store, {"UPDATE svc_domain_events SET lease_until = 0"});
        }
        const auto last = site.process("last");
        REQUIRE(last->on("svc_thing_created", {.name = "bomb"}, [&](auto&) { ran += heals ? 1 : 100; }));
        CHECK(last->sweep() == 1);
        tests::execute(*site.store, {"UPDATE svc_domain_events SET lease_until = 0"});
        const auto next = site.process("next");
        REQUIRE(next->on("svc_thing_created", {.name = "bomb"}, [&](auto&) { ++ran; }));
        CHECK(next->sweep() == 0);
        const auto dead = next->dead();
        REQUIRE(dead.size() == 1);
        CHECK(dead[0].name == "svc_thing_created");
        CHECK(dead[0].occurred_at == site.clock.now());
        REQUIRE(site.store->write([&](store::Transaction& tx) -> Result<void> {
            CHECK(events::rows::revive(tx, dead[0].id));
            return {};
        }));
        CHECK(next->sweep() == 1);
        CHECK(next->drain());
        CHECK(ran == 1);
        CHECK(next->dead().empty());
    });
}

TEST_CASE("whichever statement or commit fails on the way, each committed event is run") {
    tests::each_database([](tests::Database& db) {
        CAPTURE(db.name());
        Site site(db);
        log::least(log::Level::error);
        for (int k = 1; k <= 8; ++k)
            for (const int kind : {0, 1, 2}) {
                CAPTURE(k);
                CAPTURE(kind);
                tests::FaultyStore faulty(*site.store);
                const auto events = site.process("a" + std::to_string(k) + "/" + std::to_string(kind), 60s, &faulty);
                std::set<std::int64_t> seen;
                REQUIRE(events->on("svc_thing_created", {.name = "note"},
                                   [&](const json::Array& a) { seen.insert(a.at(0).integer()); }));
                for (int i = 1; i <= 3; ++i)
                    site.emit(*events, created, i);
                if (kind == 0)
                    faulty.fail_statement(k);
                else if (kind == 1)
                    faulty.fail_commit(k);
                else
                    faulty.lose_answer(k);
                CHECK(events->drain());
                CHECK(seen == std::set<std::int64_t>{1, 2, 3});
                CHECK(site.number(open_rows) == 0);
            }
        log::least(log::Level::info);
    });
}

TEST_CASE("stop leaves what it cannot run to others at once") {
    tests::each_database([](tests::Database& db) {
        CAPTURE(db.name());
        Site site(db);
        const auto stuck = site.process("stuck"), next = site.process("next");
        std::atomic<bool> down = true;
        int ran = 0;
        REQUIRE(stuck->on("svc_thing_created", {.name = "note"}, [&](auto&) {
            if (down)
                throw store::Unavailable("gone");
        }));
        REQUIRE(next->on("svc_thing_created", {.name = "note"}, [&](auto&) { ++ran; }));
        stuck->start();
        site.emit(*stuck, created, 1);
        stuck->stop(10ms);
        CHECK(site.number(open_rows) == 1);
        CHECK(next->sweep() == 1);
        CHECK(next->drain());
        CHECK(ran == 1);
    });
}

TEST_CASE("a filter whose listener fails inside a transaction leaves the transaction whole") {
    tests::each_database([](tests::Database& db) {
        CAPTURE(db.name());
        Site site(db);
        const auto events = site.process("a");
        REQUIRE(events->filter("svc_thing_price", {.name = "1"}, [](store::Transaction* tx, const json::Array&) {
            tx->run("INSERT INTO svc_job_days (job_name, local_date, started_at) VALUES ('x', 'y', 1)", {});
            tx->run("INSERT INTO svc_job_days (job_name, local_date, started_at) VALUES ('x', 'y', 1)", {});
            return json::Value(1);
        }));
        REQUIRE(events->filter("svc_thing_price", {.name = "2"}, [](store::Transaction* tx, const json::Array& a) {
            tx->run("INSERT INTO svc_job_days (job_name, local_date, started_at) VALUES ('kept', 'y', 1)", {});
            return json::Value(a.at(0).integer() + 1);
        }));
        std::int64_t price = 0;
        REQUIRE(site.store->write([&](store::Transaction& tx) -> Result<void> {
            price = events->apply(priced, 10, {}, &tx).integer();
            return {};
        }));
        CHECK(price == 11);
        CHECK(site.number("SELECT COUNT(*) FROM svc_job_days") == 1);
    });
}

TEST_CASE("old events are cleared away in batches, open ones never") {
    tests::each_database([](tests::Database& db) {
        CAPTURE(db.name());
        Site site(db);
        const auto silent = site.process("silent"), loud = site.process("loud");
        REQUIRE(loud->on("svc_thing_created", {.name = "note"}, [](auto&) {}));
        for (int i = 1; i <= 5; ++i)
            site.emit(*silent, created, i);
        site.emit(*loud, created, 6);
        site.clock.advance(std::chrono::hours(1));
        site.emit(*silent, created, 7);
        const auto purge = [&] {
            return site.store
                ->transact<std::int64_t>([&](store::Transaction& tx) -> Result<std::int64_t> {
                    return events::rows::purge(tx, site.clock.now(), 3);
                })
                .value();
        };
        CHECK(purge() == 3);
        CHECK(purge() == 2);
        CHECK(purge() == 0);
        CHECK(site.number("SELECT COUNT(*) FROM svc_domain_events") == 2);
        CHECK(site.number(open_rows) == 1);
    });
}

TEST_CASE("what a listener leaves to write is done once, in the commit that notes its event") {
    tests::each_database([](tests::Database& db) {
        CAPTURE(db.name());
        Site site(db);
        const auto events = site.process("a");
        REQUIRE(events->on("svc_thing_created", {.name = "writes"}, [&](const json::Array& a) {
            events->write([id = a.at(0).integer(), &site](store::Transaction& tx) -> Result<void> {
                // Nothing is noted before it is written, nor written before it is noted.
                CHECK(site.number("SELECT COUNT(*) FROM svc_job_days") == 0);
                tx.run("INSERT INTO svc_job_days (job_name, local_date, started_at) VALUES (:name, 'y', 1)",
                       {{"name", std::to_string(id)}});
                return {};
            });
        }));
        for (int i = 1; i <= 3; ++i)
            site.emit(*events, created, i);
        CHECK(events->drain());
        CHECK(site.number("SELECT COUNT(*) FROM svc_job_days") == 3);
        CHECK(site.number(open_rows) == 0);
        // Outside of a listener it is a transaction of its own.
        events->write([](store::Transaction& tx) -> Result<void> {
            tx.run("DELETE FROM svc_job_days", {});
            return {};
        });
        CHECK(site.number("SELECT COUNT(*) FROM svc_job_days") == 0);
    });
}

TEST_CASE("a listener whose writing fails takes no other event's with it") {
    tests::each_database([](tests::Database& db) {
        CAPTURE(db.name());
        Site site(db);
        std::string said;
        log::redirect(&said);
        const auto events = site.process("a");
        int tries = 0;
        REQUIRE(events->on("svc_thing_created", {.name = "writes"}, [&](const json::Array& a) {
            ++tries;
            events->write([id = a.at(0).integer(), &tries](store::Transaction& tx) -> Result<void> {
                if (id == 2)
                    return errc::conflict;
                if (id == 4 && tries < 8)
                    throw store::Unavailable("gone");
                tx.run("INSERT INTO svc_job_days (job_name, local_date, started_at) VALUES (:name, 'y', 1)",
                       {{"name", id == 3 ? std::string("1") : std::to_string(id)}});
                return {};
            });
        }));
        for (int i = 1; i <= 5; ++i)
            site.emit(*events, created, i);
        CHECK(events->drain());
        // Refused (2) and forbidden by a constraint (3): said in the log, done. The database away (4): tried again.
        CHECK(site.number("SELECT COUNT(*) FROM svc_job_days WHERE job_name IN ('1', '4', '5')") == 3);
        CHECK(site.number("SELECT COUNT(*) FROM svc_job_days") == 3);
        CHECK(site.number(open_rows) == 0);
        CHECK(tries >= 8);
        log::redirect(nullptr);
        CHECK(said.find("listener_failed") != std::string::npos);
    });
}
