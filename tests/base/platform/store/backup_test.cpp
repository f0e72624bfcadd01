// A copy taken under load is consistent, and nothing half-made is left.
#include "base/platform/store/backup.hpp"

#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>

#include <doctest/doctest.h>

#include "base/platform/store/migrate.hpp"
#include "base/platform/store/restore.hpp"
#include "tests/base/platform/store/sample_steps.hpp"
#include "tests/support/child.hpp"
#include "tests/support/databases.hpp"

using namespace svc;
using namespace svc::store;
using tests::Database;
using tests::each_database;

namespace {

std::unique_ptr<Store> with_pairs(Database& database) {
    auto store = database.open();
    tests::execute(*store, {"CREATE TABLE svc_rows (id BIGINT, part BIGINT, PRIMARY KEY (id, part))"});
    return store;
}

void add_pair(Store& store, std::int64_t id) {
    (void)store.write([&](Transaction& tx) -> Result<void> {
        tx.run("INSERT INTO svc_rows (id, part) VALUES (:id, 1)", {{"id", id}});
        tx.run("INSERT INTO svc_rows (id, part) VALUES (:id, 2)", {{"id", id}});
        return {};
    });
}

std::int64_t number(Store& store, std::string_view sql) {
    return store.reading<std::int64_t>([&](Session& session) { return session.number(sql, {}); });
}

// The copy as a database of its own.
std::unique_ptr<Database> restored(const std::string& copy, Dialect dialect) {
    if (dialect == Dialect::sqlite) {
        auto database = Database::sqlite();
        std::filesystem::copy_file(copy, database->url().substr(7));
        return database;
    }
    auto database = Database::postgresql();
    tests::Child restore({"/usr/bin/pg_restore", "--dbname=" + database->url().substr(11), copy});
    REQUIRE(restore.wait() == 0);
    return database;
}

}  // namespace

TEST_CASE("copies taken while others write are consistent and hold all that was acknowledged before") {
    each_database([](Database& database) {
        CAPTURE(database.name());
        const tests::TempDir directory;
        const auto store = with_pairs(database);
        std::atomic<bool> enough = false;
        std::atomic<std::int64_t> acknowledged = 0;
        std::thread writer([&] {
            for (std::int64_t id = 1; !enough; ++id) {
                add_pair(*store, id);
                acknowledged = id;
            }
        });
        for (int i = 0; i < 5; ++i) {
            const auto before = acknowledged.load();
            const auto path = directory.file("copy" + std::to_string(i));
            backup(database.options(), path);
            const auto copy = restored(path, database.dialect());
            const auto copied = copy->open();
            CHECK(number(*copied, "SELECT COUNT(*) FROM svc_rows WHERE part = 1") >= before);
            CHECK(number(*copied, "SELECT COUNT(*) FROM svc_rows WHERE part = 1") ==
                  number(*copied, "SELECT COUNT(*) FROM svc_rows WHERE part = 2"));
        }
        enough = true;
        writer.join();
    });
}

TEST_CASE("a copy is private, replaces nothing and leaves nothing half-made") {
    each_database([](Database& database) {
        CAPTURE(database.name());
        namespace fs = std::filesystem;
        const tests::TempDir directory;
        const auto store = with_pairs(database);
        const auto path = directory.file("copy");
        backup(database.options(), path);
        CHECK((fs::status(path).permissions() & (fs::perms::group_all | fs::perms::others_all)) == fs::perms::none);
        CHECK_THROWS_AS(backup(database.options(), path), std::runtime_error);
        CHECK_THROWS_AS(backup(database.options(), directory.file("no/such/folder")), std::runtime_error);
        CHECK(std::distance(fs::directory_iterator(directory.path()), {}) == 1);
    });
}

TEST_CASE("a backup that is stopped leaves nothing behind, and says how far it was") {
    struct Once final : Progress {
        void at(std::string_view what, std::int64_t done, std::int64_t total) override {
            told = std::string(what);
            CHECK((total == 0 || done <= total));
        }
        [[nodiscard]] bool is_stopped() const override { return !told.empty(); }
        std::string told;
    };
    each_database([](Database& database) {
        CAPTURE(database.name());
        const tests::TempDir directory;
        const auto store = with_pairs(database);
        (void)store->write([&](Transaction& tx) -> Result<void> {
            for (std::int64_t id = 1; id <= 30'000; ++id)
                tx.run("INSERT INTO svc_rows (id, part) VALUES (:id, 1)", {{"id", id}});
            return {};
        });
        Once progress;
        CHECK_THROWS_WITH(backup(database.options(), directory.file("copy"), progress), "no backup was made.");
        CHECK(progress.told == (database.dialect() == Dialect::sqlite ? "pages of the database" : "KiB of the dump"));
        CHECK(std::filesystem::is_empty(std::filesystem::path(directory.file("copy")).parent_path()));
        backup(database.options(), directory.file("copy"));
        CHECK(std::filesystem::exists(directory.file("copy")));
    });
}

TEST_CASE("a restore that is stopped does not check the rest of the backup first") {
    struct Stopped final : Progress {
        void at(std::string_view, std::int64_t, std::int64_t) override {}
        [[nodiscard]] bool is_stopped() const override { return true; }
    };
    const auto database = Database::sqlite();
    const tests::TempDir directory;
    {
        const auto store = database->open();
        tests::execute(*store,
                       {"CREATE TABLE svc_texts (text TEXT)", "CREATE INDEX svc_texts_text ON svc_texts (text)"});
        (void)store->write([&](Transaction& tx) -> Result<void> {
            for (int i = 0; i < 20'000; ++i)
                tx.run("INSERT INTO svc_texts (text) VALUES (:text)", {{"text", std::to_string(i)}});
            return {};
        });
        backup(database->options(), directory.file("copy"));
    }
    // Damage that the whole check finds, and the one that is stopped does not reach.
    std::fstream file(directory.file("copy"), std::ios::binary | std::ios::in | std::ios::out);
    file.seekp(-3000, std::ios::end);
    file << std::string(2000, 'U');
    file.close();
    Stopped progress;
    const auto target = Database::sqlite();
    CHECK_THROWS_WITH(restore(target->options(), directory.file("copy"), {}, progress), "the database is as it was.");
}

TEST_CASE("a restore that is stopped at any stage leaves the database as it was, and done again it is whole") {
    struct Until final : Progress {
        explicit Until(std::string at_stage) : stage(std::move(at_stage)) {}
        void at(std::string_view what, std::int64_t, std::int64_t) override { is_over = is_over || what == stage; }
        [[nodiscard]] bool is_stopped() const override { return is_over; }
        const std::string stage;
        bool is_over = false;
    };
    each_database([](Database& database) {
        CAPTURE(database.name());
        const bool lite = database.dialect() == Dialect::sqlite;
        const tests::TempDir directory;
        RestoreWish wish;
        {
            const auto store = database.open();
            for (const std::string& name : migrate(*store, "base", tests::sample_steps, Instant::from_micros(1)))
                wish.known_steps.push_back("base/" + name);
            tests::execute(*store, {"CREATE TABLE svc_texts (text TEXT)"});
            // More than SQLite copies at once.
            (void)store->write([&](Transaction& tx) -> Result<void> {
                for (int i = 0; i < 12; ++i)
                    tx.run("INSERT INTO svc_texts (text) VALUES (:text)", {{"text", std::string(1 << 20, 'x')}});
                return {};
            });
            backup(database.options(), directory.file("copy"));
        }
        const auto target = lite ? Database::sqlite() : Database::postgresql();
        const auto tables = [&] {
            const auto store = target->open();
            return number(*store, lite ? "SELECT COUNT(*) FROM sqlite_master WHERE type = 'table'"
                                       : "SELECT COUNT(*) FROM information_schema.tables WHERE table_schema ="
                                         " current_schema()");
        };
        for (const char* stage : {"checking the backup", lite ? "pages" : "restoring the database"}) {
            CAPTURE(stage);
            Until progress(stage);
            CHECK_THROWS_AS(restore(target->options(), directory.file("copy"), wish, progress), std::runtime_error);
            CHECK(progress.is_over);
            CHECK(tables() == 0);
            if (lite)
                CHECK_FALSE(std::filesystem::exists(target->url().substr(7) + ".part"));
        }
        restore(target->options(), directory.file("copy"), wish);
        CHECK(number(*target->open(), "SELECT COUNT(*) FROM svc_texts") == 12);
    });
}
