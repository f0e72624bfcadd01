// Values survive the way into the database and back, on both databases alike.
#include <limits>

#include <doctest/doctest.h>

#include "base/platform/store/migrate.hpp"
#include "shared/store/read_rows.hpp"
#include "tests/support/databases.hpp"

using namespace svc;
using namespace svc::store;
using tests::Database;
using tests::each_database;

namespace {

// A table of one integer and one text, both allowed to be NULL.
std::unique_ptr<Store> with_table(Database& database) {
    auto store = database.open();
    tests::execute(*store, {"CREATE TABLE svc_probe (id BIGINT PRIMARY KEY, n BIGINT, t TEXT)"});
    return store;
}

void put(Store& store, std::int64_t id, Cell n, Cell t) {
    const auto done = store.write([&](Transaction& tx) -> Result<void> {
        tx.run("INSERT INTO svc_probe (id, n, t) VALUES (:id, :n, :t)", {{"id", id}, {"n", n}, {"t", t}});
        return {};
    });
    REQUIRE(done);
}

Cell number_of(Store& store, std::int64_t id) {
    Cell found = std::string("no row");
    store.read([&](Session& session) {
        session.each("SELECT n FROM svc_probe WHERE id = :id", "i", {{"id", id}},
                     [&](const Row& row) { found = row.is_null(0) ? Cell{} : Cell{row.integer(0)}; });
    });
    return found;
}

Cell text_of(Store& store, std::int64_t id) {
    Cell found = std::int64_t{-1};
    store.read([&](Session& session) {
        session.each("SELECT t FROM svc_probe WHERE id = :id", "t", {{"id", id}},
                     [&](const Row& row) { found = row.is_null(0) ? Cell{} : Cell{row.text(0)}; });
    });
    return found;
}

}  // namespace

TEST_CASE("64-bit integers come back as they went") {
    each_database([](Database& database) {
        CAPTURE(database.name());
        const auto store = with_table(database);
        std::int64_t id = 0;
        for (const std::int64_t value :
             {std::int64_t{5'000'000'000}, std::int64_t{-5'000'000'000}, std::int64_t{3'000'000'000}, std::int64_t{0},
              std::numeric_limits<std::int64_t>::max(), std::numeric_limits<std::int64_t>::min()}) {
            put(*store, ++id, value, {});
            CHECK(number_of(*store, id) == Cell{value});
        }
    });
}

TEST_CASE("an instant keeps its microseconds and ISO text its hours") {
    each_database([](Database& database) {
        CAPTURE(database.name());
        const auto store = with_table(database);
        const auto instant = Instant::parse("2026-11-20T13:39:07.123456Z").value();
        put(*store, 1, Param("", instant).value, std::string("2026-11-20T13:39:07.123456Z"));
        CHECK(number_of(*store, 1) == Cell{instant.micros()});
        CHECK(text_of(*store, 1) == Cell{std::string("2026-11-20T13:39:07.123456Z")});
    });
}

TEST_CASE("NULL is neither zero nor empty") {
    each_database([](Database& database) {
        CAPTURE(database.name());
        const auto store = with_table(database);
        put(*store, 1, {}, {});
        put(*store, 2, std::int64_t{0}, std::string());
        CHECK(number_of(*store, 1) == Cell{});
        CHECK(text_of(*store, 1) == Cell{});
        CHECK(number_of(*store, 2) == Cell{std::int64_t{0}});
        CHECK(text_of(*store, 2) == Cell{std::string()});
        // The same statement with a value after a NULL and a NULL after a value.
        put(*store, 3, std::int64_t{7}, {});
        put(*store, 4, {}, std::string("x"));
        CHECK(number_of(*store, 3) == Cell{std::int64_t{7}});
        CHECK(number_of(*store, 4) == Cell{});
    });
}

TEST_CASE("reading NULL or the other type as a value is a programmer's error") {
    each_database([](Database& database) {
        CAPTURE(database.name());
        const auto store = with_table(database);
        put(*store, 1, {}, std::string("x"));
        store->read([&](Session& session) {
            const auto read = [&](const std::function<void(const Row&)>& take) {
                session.each("SELECT n, t FROM svc_probe", "it", {}, take);
            };
            CHECK_THROWS_AS(read([](const Row& row) { (void)row.integer(0); }), std::logic_error);
            CHECK_THROWS_AS(read([](const Row& row) { (void)row.integer(1); }), std::logic_error);
            CHECK_THROWS_AS(read([](const Row& row) { (void)row.text(0); }), std::logic_error);
            CHECK_THROWS_AS(read([](const Row& row) { (void)row.text(2); }), std::logic_error);
            // The statement is whole again after a reader that threw.
            int rows = 0;
            read([&](const Row&) { ++rows; });
            CHECK(rows == 1);
        });
    });
}

TEST_CASE("no row is nothing, not the row before") {
    each_database([](Database& database) {
        CAPTURE(database.name());
        const auto store = with_table(database);
        put(*store, 1, std::int64_t{42}, std::string("x"));
        CHECK(number_of(*store, 1) == Cell{std::int64_t{42}});
        CHECK(number_of(*store, 2) == Cell{std::string("no row")});
        CHECK(store->reading<std::int64_t>([](Session& session) {
            return session.number("SELECT MAX(n) FROM svc_probe WHERE id = 99", {});
        }) == 0);
    });
}

TEST_CASE("text with a NUL or broken UTF-8 is refused before it is bound") {
    each_database([](Database& database) {
        CAPTURE(database.name());
        const auto store = with_table(database);
        const auto inserted = [&](std::string text) { put(*store, 1, {}, std::move(text)); };
        CHECK_THROWS_WITH_AS(inserted(std::string("a\0b", 3)), "NUL in text", ConstraintViolation);
        for (const char* broken : {"\xff", "\xc0\xaf", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xe2\x82", "a\x80"})
            CHECK_THROWS_WITH_AS(inserted(broken), "text is not UTF-8", ConstraintViolation);
        CHECK(number_of(*store, 1) == Cell{std::string("no row")});
        put(*store, 1, {}, std::string("東京 नेपाल العربية 🏔"));
        CHECK(text_of(*store, 1) == Cell{std::string("東京 नेपाल العربية 🏔")});
    });
}

TEST_CASE("ten thousand characters come back whole") {
    each_database([](Database& database) {
        CAPTURE(database.name());
        const auto store = with_table(database);
        std::string text;
        for (int i = 0; i < 10'000; ++i)
            text += i % 7 == 0 ? "é" : i % 11 == 0 ? "'" : i % 13 == 0 ? "\\" : i % 17 == 0 ? ":x" : "a";
        put(*store, 1, {}, text);
        CHECK(text_of(*store, 1) == Cell{text});
    });
}

TEST_CASE("several statements in one text are refused and none runs") {
    each_database([](Database& database) {
        CAPTURE(database.name());
        const auto store = with_table(database);
        put(*store, 1, {}, {});
        CHECK_THROWS_AS((void)store->write([](Transaction& tx) -> Result<void> {
            tx.run("UPDATE svc_probe SET n = 1; DELETE FROM svc_probe", {});
            return {};
        }),
                        std::logic_error);
        CHECK(number_of(*store, 1) == Cell{});
    });
}

TEST_CASE("a value used several times, NULL included, needs no type") {
    each_database([](Database& database) {
        CAPTURE(database.name());
        const auto store = with_table(database);
        put(*store, 1, std::int64_t{1}, std::string("a"));
        put(*store, 2, std::int64_t{2}, std::string("b"));
        const auto count = [&](Cell n, Cell t) {
            return store->reading<std::int64_t>([&](Session& session) {
                return session.number(
                    "SELECT COUNT(*) FROM svc_probe WHERE (:n IS NULL OR n >= :n)"
                    " AND (:t IS NULL OR t = :t)",
                    {{"n", n}, {"t", t}});
            });
        };
        CHECK(count({}, {}) == 2);
        CHECK(count(std::int64_t{2}, {}) == 1);
        CHECK(count({}, std::string("a")) == 1);
        CHECK(count(std::int64_t{2}, std::string("a")) == 0);
        CHECK(store->reading<std::int64_t>([](Session& session) {
            return session.number("SELECT :n + 1", {{"n", std::int64_t{5'000'000'000}}});
        }) == 5'000'000'001);
    });
}

TEST_CASE("a value that is not given is a programmer's error, one too many is ignored") {
    each_database([](Database& database) {
        CAPTURE(database.name());
        const auto store = with_table(database);
        store->read([](Session& session) {
            CHECK_THROWS_AS((void)session.number("SELECT COUNT(*) FROM svc_probe WHERE n = :n", {}), std::logic_error);
            CHECK(session.number("SELECT COUNT(*) FROM svc_probe WHERE n = :n", {{"n", 1}, {"limit", 5}}) == 0);
        });
    });
}

TEST_CASE("a list longer than one fetch arrives whole and in order") {
    each_database([](Database& database) {
        CAPTURE(database.name());
        const auto store = with_table(database);
        for (const int rows : {0, 1, 2, 3, 63, 64, 65, 500}) {
            CAPTURE(rows);
            tests::execute(*store, {"DELETE FROM svc_probe"});
            REQUIRE(store->write([&](Transaction& tx) -> Result<void> {
                for (int id = 1; id <= rows; ++id)
                    tx.run("INSERT INTO svc_probe (id, n, t) VALUES (:id, :n, :t)",
                           {{"id", id}, {"n", id % 3 ? Cell{std::int64_t{id}} : Cell{}}, {"t", std::to_string(id)}});
                return {};
            }));
            // Twice: what a statement answered sets how it fetches next.
            for (int time = 0; time < 3; ++time) {
                int expected = 0;
                store->read([&](Session& session) {
                    session.each("SELECT id, n, t FROM svc_probe ORDER BY id", "iit", {}, [&](const Row& row) {
                        ++expected;
                        REQUIRE(row.integer(0) == expected);
                        REQUIRE(row.is_null(1) == (expected % 3 == 0));
                        REQUIRE(row.text(2) == std::to_string(expected));
                    });
                });
                CHECK(expected == rows);
            }
        }
    });
}

TEST_CASE("a statement cannot be used again while its rows are read, others can") {
    each_database([](Database& database) {
        CAPTURE(database.name());
        const auto store = with_table(database);
        put(*store, 1, std::int64_t{5}, {});
        store->read([](Session& session) {
            const auto rows = [&](const std::function<void(const Row&)>& take) {
                session.each("SELECT n FROM svc_probe", "i", {}, take);
            };
            CHECK_THROWS_AS(rows([&](const Row&) { rows([](const Row&) {}); }), std::logic_error);
            int inner = 0;
            rows([&](const Row& row) {
                inner += static_cast<int>(
                    session.number("SELECT COUNT(*) FROM svc_probe WHERE n = :n", {{"n", row.integer(0)}}));
            });
            CHECK(inner == 1);
        });
    });
}

TEST_CASE("RETURNING answers the new id") {
    each_database([](Database& database) {
        CAPTURE(database.name());
        const auto store = with_table(database);
        const auto id = store->transact<std::int64_t>([](Transaction& tx) -> Result<std::int64_t> {
            return tx.insert("INSERT INTO svc_probe (id, n) VALUES (:id, 1) RETURNING id",
                             {{"id", std::int64_t{7'000'000'000}}});
        });
        REQUIRE(id);
        CHECK(*id == 7'000'000'000);
    });
}

TEST_CASE("RETURNING answers the id that the database gave, and no row for what is not inserted") {
    each_database([](Database& database) {
        CAPTURE(database.name());
        const auto store = database.open();
        const std::vector<Step> steps{{"1_named.sql", "CREATE TABLE svc_named (id {{id}}, name TEXT UNIQUE);\n"}};
        migrate(*store, "base", steps, Instant::from_micros(0));
        const auto insert = [&](std::string_view name) {
            std::vector<std::int64_t> ids;
            const auto done = store->write([&](Transaction& tx) -> Result<void> {
                tx.each("INSERT INTO svc_named (name) VALUES (:name) ON CONFLICT (name) DO NOTHING RETURNING id", "i",
                        {{"name", name}}, [&](const Row& row) { ids.push_back(row.integer(0)); });
                return {};
            });
            CHECK(done);
            return ids;
        };
        const auto ada = insert("Ada"), again = insert("Ada"), bob = insert("Bob");
        REQUIRE(ada.size() == 1);
        CHECK(again.empty());
        REQUIRE(bob.size() == 1);
        store->read([&](Session& session) {
            std::vector<std::pair<std::int64_t, std::string>> rows;
            session.each("SELECT id, name FROM svc_named ORDER BY id", "it", {},
                         [&](const Row& row) { rows.emplace_back(row.integer(0), row.text(1)); });
            CHECK(rows == std::vector<std::pair<std::int64_t, std::string>>{{ada[0], "Ada"}, {bob[0], "Bob"}});
        });
    });
}

TEST_CASE("a column count other than told is a programmer's error") {
    each_database([](Database& database) {
        CAPTURE(database.name());
        const auto store = with_table(database);
        put(*store, 1, {}, {});
        store->read([](Session& session) {
            const auto read = [&](Columns columns) {
                session.each("SELECT id, n FROM svc_probe", columns, {}, [](const Row&) {});
            };
            CHECK_THROWS_AS(read("i"), std::logic_error);
            CHECK_THROWS_AS(read("iii"), std::logic_error);
            CHECK_THROWS_AS(read("ix"), std::logic_error);
            CHECK_NOTHROW(read("ii"));
        });
    });
}

TEST_CASE("more statements than a session keeps still all run") {
    each_database([](Database& database) {
        CAPTURE(database.name());
        const auto store = with_table(database);
        put(*store, 1, std::int64_t{1}, std::string("x"));
        store->read([](Session& session) {
            for (int round = 0; round < 2; ++round)
                for (int i = 0; i < 600; ++i) {
                    const auto text = "SELECT COUNT(*) FROM svc_probe WHERE n < " + std::to_string(i);
                    REQUIRE(session.number(text, {}) == (i > 1 ? 1 : 0));
                }
        });
    });
}

TEST_CASE("a read may not write") {
    each_database([](Database& database) {
        CAPTURE(database.name());
        const auto store = with_table(database);
        store->read([](Session& session) {
            CHECK_THROWS_AS(session.run("INSERT INTO svc_probe (id) VALUES (1)", {}), std::logic_error);
            CHECK_THROWS_AS(session.insert("INSERT INTO svc_probe (id) VALUES (1) RETURNING id", {}), std::logic_error);
        });
        CHECK(number_of(*store, 1) == Cell{std::string("no row")});
    });
}

TEST_CASE("rows are read as the parameters of a callable, texts and dates as what they are, NULL where it may be") {
    each_database([](Database& database) {
        CAPTURE(database.name());
        const auto store = with_table(database);
        put(*store, 1, std::int64_t{7}, std::string("2026-06-01"));
        put(*store, 2, {}, std::string("2026-06-02"));
        store->read([&](Session& session) {
            const auto rows = all_rows(session, "SELECT id, n, t FROM svc_probe ORDER BY id", {},
                                       [](int id, std::optional<std::int64_t> n, Date t) {
                                           return std::to_string(id) + ":" + std::to_string(n.value_or(-1)) + ":" +
                                                  std::to_string(t.day());
                                       });
            CHECK(rows == std::vector<std::string>{"1:7:1", "2:-1:2"});
            CHECK(numbers(session, "SELECT id FROM svc_probe ORDER BY id DESC", {}) == std::vector<std::int64_t>{2, 1});
            const auto text_of_first = [&](std::int64_t id) {
                return first_row(session, "SELECT t FROM svc_probe WHERE id >= :id ORDER BY id", {{"id", id}},
                                 [](const std::string& t) { return t; });
            };
            CHECK(text_of_first(1) == "2026-06-01");
            CHECK(!text_of_first(3));
            std::int64_t sum = 0;
            each_row_of(
                session, SVC_BY_IDS("SELECT id, t FROM svc_probe WHERE", "id", ""), std::vector<std::int64_t>{1, 2, 3},
                [&](std::int64_t id, const std::string& t) { sum += id + static_cast<std::int64_t>(t.size()); });
            CHECK(sum == 23);
            CHECK_THROWS_AS(all_rows(session, "SELECT n FROM svc_probe", {}, [](std::int64_t n) { return n; }),
                            std::logic_error);
        });
    });
}
