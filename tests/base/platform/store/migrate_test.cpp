// A step happens whole or not at all, whoever starts it and whenever it is killed.
#include "base/platform/store/migrate.hpp"

#include <iostream>
#include <memory>

#include <doctest/doctest.h>

#include "tests/base/platform/store/sample_steps.hpp"
#include "tests/support/child.hpp"
#include "tests/support/databases.hpp"
#include "tests/support/faulty_store.hpp"

using namespace svc;
using namespace svc::store;
using tests::Database;
using tests::each_database;
using tests::sample_steps;

namespace {

const std::vector<std::string> all_names{"0001_guides.sql", "0002_languages.sql", "0003_active.sql"};
constexpr auto now = Instant::from_micros(1);

enum class Steps : std::uint8_t { samples, release };

// Every table, column, constraint and index, and every row of the samples, as text.
std::string dump(Store& store, Steps steps = Steps::samples) {
    const bool lite = store.dialect() == Dialect::sqlite;
    const std::vector<std::pair<std::string_view, std::size_t>> questions =
        lite ? std::vector<
                   std::pair<std::string_view,
                             std::size_t>>{{"SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY type, name",
                                            4}}
             : std::vector<std::pair<std::string_view, std::size_t>>{
                   {"SELECT CAST(table_name AS TEXT), CAST(column_name AS TEXT), CAST(data_type AS TEXT),"
                    " CAST(is_nullable AS TEXT), CAST(column_default AS TEXT) FROM information_schema.columns"
                    " WHERE table_schema = 'public' ORDER BY table_name, ordinal_position",
                    5},
                   {"SELECT CAST(conname AS TEXT), pg_get_constraintdef(oid) FROM pg_constraint"
                    " WHERE connamespace = 'public'::regnamespace ORDER BY conname",
                    2},
                   {"SELECT CAST(indexname AS TEXT), indexdef FROM pg_indexes WHERE schemaname = 'public'"
                    " ORDER BY indexname",
                    2}};
    std::string text;
    store.read([&](Session& session) {
        const auto add = [&](std::string_view sql, std::size_t columns) {
            session.each(sql, std::string(columns, 't'), {}, [&](const Row& row) {
                for (std::size_t i = 0; i < row.size(); ++i)
                    text += row.maybe_text(i).value_or("NULL") + "|";
                text += "\n";
            });
        };
        for (const auto& [sql, columns] : questions)
            add(sql, columns);
        add("SELECT edition, name, checksum FROM svc_migrations ORDER BY edition, name", 3);
        if (steps != Steps::samples)
            return;
        add("SELECT CAST(id AS TEXT), name, CAST(rating AS TEXT), CAST(active AS TEXT) FROM svc_guides ORDER BY id", 4);
        add("SELECT CAST(guide_id AS TEXT), language FROM svc_languages ORDER BY guide_id, language", 2);
    });
    return text;
}

std::string undisturbed(const std::function<std::unique_ptr<Database>()>& make) {
    const auto database = make();
    const auto store = database->open();
    CHECK(migrate(*store, "base", sample_steps, now) == all_names);
    return dump(*store);
}

}  // namespace

TEST_CASE("a step's text is cut into the statements of one database") {
    const auto lite = statements_of(sample_steps[1], Dialect::sqlite);
    REQUIRE(lite.size() == 3);
    CHECK(lite[1] == "CREATE INDEX svc_languages_lite ON svc_languages (language);\n");
    const auto server = statements_of(sample_steps[1], Dialect::postgresql);
    REQUIRE(server.size() == 3);
    CHECK(server[1] == "CREATE INDEX svc_languages_pg ON svc_languages (lower(language));\n");
    CHECK(statements_of(sample_steps[0], Dialect::sqlite).size() == 4);
    CHECK(statements_of(sample_steps[0], Dialect::sqlite)[0].find("{{id}}") == std::string::npos);
    CHECK_THROWS_AS((void)statements_of({"x.sql", "CREATE TABLE x (a BIGINT)"}, Dialect::sqlite), std::runtime_error);
}

TEST_CASE("a check against a list is a chain of comparisons on SQLite") {
    const Step step{"1_x.sql",
                    "CREATE TABLE x (a TEXT CHECK (a IN ('b', 'c',\n    'd')), e BIGINT CHECK (e BETWEEN 0 AND 1),\n"
                    "    CHECK (a <> 'b' OR e IN (0, 1)), f TEXT NOT NULL CHECK (f IN ('g')));\n"};
    CHECK(statements_of(step, Dialect::sqlite) ==
          std::vector<std::string>{
              "CREATE TABLE x (a TEXT CHECK (a = 'b' OR a = 'c' OR a = 'd'), e BIGINT CHECK (e BETWEEN 0 AND 1),\n"
              "    CHECK (a <> 'b' OR e IN (0, 1)), f TEXT NOT NULL CHECK (f = 'g'));\n"});
    CHECK(statements_of(step, Dialect::postgresql) == std::vector<std::string>{std::string(step.text)});
}

TEST_CASE("steps are applied once, in order, and the schema is then current") {
    each_database([](Database& database) {
        CAPTURE(database.name());
        const auto store = database.open();
        const auto before = check_current(*store, "base", sample_steps);
        REQUIRE(!before);
        CHECK(before.error().message() ==
              "The database is older than this release: the step base/0001_guides.sql is missing. Run `svc migrate`.");
        CHECK(migrate(*store, "base", sample_steps, now) == all_names);
        CHECK(migrate(*store, "base", sample_steps, now).empty());
        CHECK(check_current(*store, "base", sample_steps));
        CHECK(store->reading<std::int64_t>(
                  [](Session& session) { return session.number("SELECT SUM(active) FROM svc_guides", {}); }) == 1);
    });
}

TEST_CASE("the steps of this release apply on both databases") {
    each_database([](Database& database) {
        CAPTURE(database.name());
        const auto store = database.open();
        const auto steps = embedded::base_steps();
        CHECK(migrate(*store, "base", steps, now).size() == steps.size());
        CHECK(check_current(*store, "base", steps));
    });
}

TEST_CASE("a migration that is stopped ends behind the step at hand, and the next one goes on there") {
    struct First final : Progress {
        void at(std::string_view, std::int64_t done, std::int64_t total) override {
            applied = done;
            CHECK(total == 3);
        }
        [[nodiscard]] bool is_stopped() const override { return applied > 0; }
        std::int64_t applied = 0;
    };
    for (const auto& make : Database::kinds()) {
        const auto database = make();
        CAPTURE(database->name());
        const auto store = database->open();
        First progress;
        CHECK_THROWS_WITH(migrate(*store, "base", sample_steps, now, progress),
                          "1 of 3 steps of the schema are applied; run the command again to apply the rest.");
        CHECK(migrate(*store, "base", sample_steps, now) == std::vector<std::string>{all_names[1], all_names[2]});
        CHECK(dump(*store) == undisturbed(make));
    }
}

TEST_CASE("a step that was changed after it was applied stops the start and the migration") {
    each_database([](Database& database) {
        CAPTURE(database.name());
        const auto store = database.open();
        (void)migrate(*store, "base", sample_steps, now);
        auto changed = sample_steps;
        changed[1].text = "CREATE TABLE svc_other (id BIGINT);\n";
        const auto sentence =
            "The step base/0002_languages.sql was applied with another text than this release has; the"
            " database cannot be used with it.";
        const auto checked = check_current(*store, "base", changed);
        REQUIRE(!checked);
        CHECK(checked.error().message() == sentence);
        CHECK_THROWS_WITH((void)migrate(*store, "base", changed, now), sentence);
    });
}

TEST_CASE("a release starts on a database of a newer one, but not where that has taken something away") {
    each_database([](Database& database) {
        CAPTURE(database.name());
        const auto store = database.open();
        (void)migrate(*store, "base", sample_steps, now);
        const auto older = std::span(sample_steps).first(2);
        CHECK(check_current(*store, "base", older));
        CHECK(newer_steps(*store, "base", older) == std::vector<std::string>{"0003_active.sql"});
        CHECK(newer_steps(*store, "base", sample_steps).empty());
        CHECK(migrate(*store, "base", older, now).empty());

        std::vector<Step> newest(sample_steps.begin(), sample_steps.end());
        newest.push_back({"0004_rating_contract.sql", "ALTER TABLE svc_guides DROP COLUMN rating;\n"});
        (void)migrate(*store, "base", newest, now);
        const auto checked = check_current(*store, "base", sample_steps);
        REQUIRE(!checked);
        CHECK(checked.error().message() ==
              "The database is newer than this release, which does not know the step base/0004_rating_contract.sql.");
        CHECK(check_current(*store, "base", sample_steps, newest));
    });
}

TEST_CASE("editions do not share their steps") {
    each_database([](Database& database) {
        CAPTURE(database.name());
        const auto store = database.open();
        (void)migrate(*store, "base", std::span(sample_steps).first(1), now);
        CHECK(!check_current(*store, "pro", std::span(sample_steps).first(1)));
        CHECK(check_current(*store, "pro", {}));
    });
}

TEST_CASE("a step whose statement fails leaves nothing behind") {
    each_database([](Database& database) {
        CAPTURE(database.name());
        const auto store = database.open();
        const std::array<Step, 1> broken{{{"0001_broken.sql",
                                           "CREATE TABLE svc_first (id BIGINT PRIMARY KEY);\n"
                                           "INSERT INTO svc_first (id) VALUES (1);\n"
                                           "INSERT INTO svc_first (id) VALUES (1);\n"}}};
        CHECK_THROWS_AS((void)migrate(*store, "base", broken, now), std::runtime_error);
        CHECK(!check_current(*store, "base", broken));
        // The table is not there: it can be made.
        CHECK_NOTHROW(tests::execute(*store, {"CREATE TABLE svc_first (id BIGINT PRIMARY KEY)"}));
    });
}

TEST_CASE("each statement of a migration failing in turn, a second run reaches the same schema") {
    for (const auto& make : Database::kinds()) {
        const auto expected = undisturbed(make);
        int k = 0;
        for (bool failed = true; failed;) {
            ++k;
            const auto database = make();
            CAPTURE(database->name());
            CAPTURE(k);
            const auto real = database->open();
            tests::FaultyStore faulty(*real);
            faulty.fail_statement(k);
            try {
                (void)migrate(faulty, "base", sample_steps, now);
                failed = false;
            } catch (const Unavailable&) {
            }
            (void)migrate(*real, "base", sample_steps, now);
            CHECK(dump(*real) == expected);
        }
        CHECK(k > 10);
    }
}

TEST_CASE("statements of the release's own steps failing one after the other, the last run reaches the same schema") {
    constexpr int stride = 7;  // a prime: the statements of all kinds of steps come up
    for (const auto& make : Database::kinds()) {
        const auto steps = embedded::base_steps();
        const auto whole = make();
        (void)migrate(*whole->open(), "base", steps, now);
        const auto database = make();
        CAPTURE(database->name());
        const auto real = database->open();
        // Each run goes on where the one before failed, and fails further on: in a later step, or later in that step.
        int failures = 0, fails_at = stride;
        for (bool failed = true; failed;) {
            tests::FaultyStore faulty(*real);
            faulty.fail_statement(fails_at);
            try {
                (void)migrate(faulty, "base", steps, now);
                failed = false;
            } catch (const Unavailable&) {
                ++failures;
            }
            fails_at = faulty.commits() > 0 ? stride : fails_at + stride;
        }
        MESSAGE("statements of the release's steps failed: " << failures);
        CHECK(failures > 50);
        CHECK(dump(*real, Steps::release) == dump(*whole->open(), Steps::release));
    }
}

TEST_CASE("the schema of every older state of the release is brought to the same end") {
    for (const auto& make : Database::kinds()) {
        const auto steps = embedded::base_steps();
        const auto stepwise = make();
        CAPTURE(stepwise->name());
        {
            const auto store = stepwise->open();
            for (std::size_t older = 1; older <= steps.size(); ++older) {
                CAPTURE(older);
                CHECK(migrate(*store, "base", steps.first(older), now).size() == 1);
            }
        }
        const auto expected = dump(*stepwise->open(), Steps::release);
        for (const std::size_t older : {std::size_t{0}, std::size_t{1}, steps.size() / 2}) {
            const auto database = make();
            CAPTURE(older);
            const auto store = database->open();
            CHECK(migrate(*store, "base", steps.first(older), now).size() == older);
            CHECK(migrate(*store, "base", steps, now).size() == steps.size() - older);
            CHECK(dump(*store, Steps::release) == expected);
        }
    }
}

TEST_CASE("killed after each statement, a second run reaches the same schema") {
    for (const auto& make : Database::kinds()) {
        const auto expected = undisturbed(make);
        int kills = 0;
        for (int k = 1;; ++k) {
            const auto database = make();
            CAPTURE(database->name());
            CAPTURE(k);
            tests::Child child({SVC_STORE_WORKER, "migrate", database->url(), std::to_string(k)});
            (void)child.lines();
            const int ended = child.wait();
            const auto store = database->open();
            (void)migrate(*store, "base", sample_steps, now);
            CHECK(dump(*store) == expected);
            if (ended == 0)
                break;
            REQUIRE(ended == -SIGKILL);
            ++kills;
        }
        std::cout << "figure: migrations killed " << kills << " times\n";
        CHECK(kills > 10);
    }
}

TEST_CASE("four processes that migrate at once apply each step once") {
    for (const auto& make : Database::kinds()) {
        const auto expected = undisturbed(make);
        for (int round = 0; round < 5; ++round) {
            const auto database = make();
            CAPTURE(database->name());
            std::vector<std::unique_ptr<tests::Child>> children;
            for (int i = 0; i < 4; ++i)
                children.push_back(std::make_unique<tests::Child>(
                    std::vector<std::string>{SVC_STORE_WORKER, "migrate", database->url(), "0"}));
            std::vector<std::string> applied;
            for (const auto& child : children) {
                for (auto& name : child->lines())
                    applied.push_back(std::move(name));
                CHECK(child->wait() == 0);
            }
            std::sort(applied.begin(), applied.end());
            CHECK(applied == all_names);
            CHECK(dump(*database->open()) == expected);
        }
    }
}
