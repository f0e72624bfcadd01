// Statements that nobody waits for run in their place, and fail what they stand in.
#include "shared/store/later.hpp"

#include <doctest/doctest.h>

#include "tests/support/databases.hpp"

using namespace svc;
using namespace svc::store;
using tests::Database;
using tests::each_database;

namespace {

std::unique_ptr<Store> with_table(Database& database) {
    auto store = database.open();
    tests::execute(*store,
                   {"CREATE TABLE svc_probe (id BIGINT PRIMARY KEY, code TEXT CONSTRAINT svc_probe_code UNIQUE)"});
    return store;
}

void add_later(Transaction& tx, std::int64_t id, const std::optional<std::string>& code) {
    run_later(tx, "INSERT INTO svc_probe (id, code) VALUES (:id, :code)", {{"id", id}, {"code", code}});
}

std::int64_t count(Session& session) { return session.number("SELECT COUNT(*) FROM svc_probe", {}); }

std::int64_t kept(Store& store) {
    return store.reading<std::int64_t>([](Session& session) { return count(session); });
}

}  // namespace

TEST_CASE("what nobody waits for has run before the next statement, and before the commit") {
    each_database([](Database& database) {
        CAPTURE(database.name());
        const auto store = with_table(database);
        REQUIRE(store->write([](Transaction& tx) -> Result<void> {
            add_later(tx, 1, "a");
            add_later(tx, 2, std::nullopt);
            CHECK(count(tx) == 2);
            add_later(tx, 3, "it's \"quoted\" ü");
            CHECK(tx.run("UPDATE svc_probe SET code = 'b' WHERE id = 3", {}) == 1);
            add_later(tx, 4, "d");
            return {};
        }));
        CHECK(kept(*store) == 4);
        REQUIRE(store->write_relaxed([](Transaction& tx) -> Result<void> {
            for (std::int64_t id = 5; id <= 304; ++id)  // more than are sent at once
                add_later(tx, id, std::to_string(id));
            return {};
        }));
        CHECK(kept(*store) == 304);
    });
}

TEST_CASE("a transaction without a statement, or that answers an error, keeps nothing of what waits") {
    each_database([](Database& database) {
        CAPTURE(database.name());
        const auto store = with_table(database);
        REQUIRE(store->write([](Transaction&) -> Result<void> { return {}; }));
        CHECK(!store->write([](Transaction& tx) -> Result<void> {
            add_later(tx, 1, "a");
            return errc::sold_out;
        }));
        CHECK_THROWS_AS(static_cast<void>(store->write([](Transaction& tx) -> Result<void> {
                            add_later(tx, 1, "a");
                            throw std::runtime_error("no");
                        })),
                        std::runtime_error);
        CHECK(kept(*store) == 0);
        REQUIRE(store->write([](Transaction& tx) -> Result<void> {
            add_later(tx, 1, "a");
            return {};
        }));
        CHECK(kept(*store) == 1);
    });
}

TEST_CASE("what nobody waits for and fails takes the whole transaction with it") {
    each_database([](Database& database) {
        CAPTURE(database.name());
        const auto store = with_table(database);
        const auto failing = [&](bool reads) {
            return store->write([&](Transaction& tx) -> Result<void> {
                add_later(tx, 1, "a");
                add_later(tx, 2, "a");
                add_later(tx, 3, "c");
                if (reads)
                    count(tx);
                return {};
            });
        };
        CHECK_THROWS_AS(static_cast<void>(failing(false)), UniqueViolation);
        CHECK_THROWS_AS(static_cast<void>(failing(true)), UniqueViolation);
        CHECK(kept(*store) == 0);
    });
}

TEST_CASE("inside an attempt it fails the attempt alone, and what was before it stays") {
    each_database([](Database& database) {
        CAPTURE(database.name());
        const auto store = with_table(database);
        REQUIRE(store->write([](Transaction& tx) -> Result<void> {
            add_later(tx, 1, "a");
            CHECK_THROWS_AS(static_cast<void>(tx.attempt([&]() -> Result<void> {
                                add_later(tx, 2, "a");
                                return {};
                            })),
                            UniqueViolation);
            CHECK(!tx.attempt([&]() -> Result<void> {
                add_later(tx, 3, "c");
                return errc::sold_out;
            }));
            CHECK(tx.attempt([&]() -> Result<void> {
                add_later(tx, 4, "d");
                return {};
            }));
            add_later(tx, 5, "e");
            return {};
        }));
        const auto ids = store->reading<std::vector<std::int64_t>>([](Session& session) {
            return session.all<std::int64_t>("SELECT id FROM svc_probe ORDER BY id", "i", {},
                                             [](const Row& row) { return row.integer(0); });
        });
        CHECK(ids == std::vector<std::int64_t>{1, 4, 5});
    });
}
