// Acknowledged writes survive kills, failing and full disks; seats are never sold twice.
#include <iostream>
#include <random>
#include <set>

#include <doctest/doctest.h>

#include "tests/support/child.hpp"
#include "tests/support/databases.hpp"

using namespace svc;
using namespace svc::store;
using tests::Child;
using tests::Database;
using tests::each_database;

namespace {

constexpr int kills = 30;

void make_rows(Store& store) {
    tests::execute(store, {"CREATE TABLE svc_rows (id BIGINT NOT NULL, part BIGINT NOT NULL, PRIMARY KEY (id, part))"});
}

std::set<std::string> ids(Store& store, std::int64_t part) {
    std::set<std::string> found;
    store.read([&](Session& session) {
        session.each("SELECT CAST(id AS TEXT) FROM svc_rows WHERE part = :part", "t", {{"part", part}},
                     [&](const Row& row) { found.insert(row.text(0)); });
    });
    return found;
}

int missing_of(Store& store, const std::set<std::string>& acknowledged) {
    const auto first = ids(store, 1), second = ids(store, 2);
    CHECK(first == second);  // never half a booking
    int missing = 0;
    for (const auto& id : acknowledged)
        missing += !first.contains(id);
    return missing;
}

}  // namespace

TEST_CASE("killed while it writes, a process has nothing acknowledged that is missing") {
    each_database([](Database& database) {
        CAPTURE(database.name());
        make_rows(*database.open());
        std::mt19937 random(20261120);
        std::set<std::string> acknowledged;
        for (int kill = 1; kill <= kills; ++kill) {
            Child child({SVC_STORE_WORKER, "rows", database.url(), std::to_string(kill)});
            for (auto wanted = random() % 60 + 1; wanted > 0; --wanted) {
                const auto id = child.line();
                REQUIRE(id);
                acknowledged.insert(*id);
            }
            child.kill();
            for (auto& id : child.lines())
                acknowledged.insert(std::move(id));
            CHECK(child.wait() == -SIGKILL);
        }
        const auto store = database.open();
        const int missing = missing_of(*store, acknowledged);
        CHECK(missing == 0);
        std::cout << "figure: " << database.name() << ": " << kills << " kills, " << acknowledged.size()
                  << " acknowledged, " << missing << " missing\n";
    });
}

TEST_CASE("a sync that fails is Unavailable, not success, and the next write goes on") {
    const auto database = Database::sqlite();
    make_rows(*database->open());
    std::set<std::string> acknowledged;
    int unavailable = 0;
    Child child({SVC_STORE_WORKER, "failing-sync", database->url(), "300", "10"});
    for (auto& line : child.lines())
        if (line == "unavailable")
            ++unavailable;
        else
            acknowledged.insert(std::move(line));
    CHECK(child.wait() == 0);
    CHECK(unavailable >= 20);
    CHECK(acknowledged.size() + static_cast<std::size_t>(unavailable) == 300);
    const int missing = missing_of(*database->open(), acknowledged);
    CHECK(missing == 0);
    std::cout << "figure: " << unavailable << " failed syncs, " << acknowledged.size() << " acknowledged, " << missing
              << " missing\n";
}

TEST_CASE("on a full disk writes are Unavailable, reads go on, and room heals it without a restart") {
    const auto database = Database::sqlite();
    const auto keeps_wal = database->open();  // a last connection that closes would take the log away
    make_rows(*keeps_wal);
    std::set<std::string> acknowledged;
    int unavailable = 0, reads = 0;
    bool healed = false;
    Child child({SVC_STORE_WORKER, "full-disk", database->url(), database->url().substr(7)});
    for (auto& line : child.lines()) {
        if (line == "unavailable")
            ++unavailable;
        else if (line.starts_with("read "))
            ++reads;
        else if (line == "healed")
            healed = true;
        else
            acknowledged.insert(std::move(line));
    }
    CHECK(child.wait() == 0);
    CHECK(unavailable == 5);
    CHECK(reads >= 5);
    CHECK(healed);
    CHECK(acknowledged.size() > 5);
    CHECK(missing_of(*keeps_wal, acknowledged) == 0);
}

TEST_CASE("four processes that sell the last seats sell each once") {
    each_database([](Database& database) {
        for (const int capacity : {1, 7, 200}) {
            CAPTURE(database.name());
            CAPTURE(capacity);
            const auto store = database.open();
            tests::execute(*store, {"DROP TABLE IF EXISTS svc_seats", "DROP TABLE IF EXISTS svc_sales",
                                    "CREATE TABLE svc_seats (id BIGINT PRIMARY KEY, booked BIGINT NOT NULL,"
                                    " capacity BIGINT NOT NULL, CHECK (booked BETWEEN 0 AND capacity))",
                                    "CREATE TABLE svc_sales (seats BIGINT NOT NULL)"});
            REQUIRE(store->write([&](Transaction& tx) -> Result<void> {
                tx.run("INSERT INTO svc_seats (id, booked, capacity) VALUES (1, 0, :n)", {{"n", capacity}});
                return {};
            }));
            std::vector<std::unique_ptr<Child>> children;
            for (int i = 0; i < 4; ++i)
                children.push_back(std::make_unique<Child>(
                    std::vector<std::string>{SVC_STORE_WORKER, "seats", database.url(), "100"}));
            int sold = 0, refused = 0, failed = 0;
            for (const auto& child : children) {
                const auto line = child->line();
                REQUIRE(line);
                int parts[3] = {};
                REQUIRE(std::sscanf(line->c_str(), "%d %d %d", &parts[0], &parts[1], &parts[2]) == 3);
                sold += parts[0];
                refused += parts[1];
                failed += parts[2];
                CHECK(child->wait() == 0);
            }
            CHECK(sold == capacity);
            CHECK(refused == 400 - capacity);
            CHECK(failed == 0);
            CHECK(store->reading<std::int64_t>([](Session& session) {
                return session.number("SELECT booked FROM svc_seats", {}) -
                       session.number("SELECT SUM(seats) FROM svc_sales", {});
            }) == 0);
        }
    });
}
