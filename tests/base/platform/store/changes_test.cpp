// Changes are told to every process that listens, and none twice for nothing.
#include "base/platform/store/changes.hpp"

#include <atomic>
#include <condition_variable>
#include <mutex>

#include <doctest/doctest.h>

#include "base/platform/store/migrate.hpp"
#include "tests/support/databases.hpp"

using namespace svc;
using namespace svc::store;
using tests::Database;
using tests::each_database;

namespace {

class Bell {
  public:
    void ring() {
        const std::lock_guard lock(mutex_);
        ++rung_;
        changed_.notify_all();
    }
    // Waits until it has rung that often altogether, a minute at most.
    bool rung(int times) {
        std::unique_lock lock(mutex_);
        return changed_.wait_for(lock, std::chrono::seconds(60), [&] { return rung_ >= times; });
    }
    int times() {
        const std::lock_guard lock(mutex_);
        return rung_;
    }

  private:
    std::mutex mutex_;
    std::condition_variable changed_;
    int rung_ = 0;
};

void change(Store& store, std::string_view channel, bool commit = true) {
    (void)store.write([&](Transaction& tx) -> Result<void> {
        touch(tx, channel);
        if (!commit)
            return errc::conflict;
        return {};
    });
}

}  // namespace

TEST_CASE("a change another store committed is told on its channel alone") {
    each_database([](Database& database) {
        CAPTURE(database.name());
        const auto writer = database.open();
        (void)migrate(*writer, "base", embedded::base_steps(), Instant{});
        change(*writer, "trips");
        Bell trips, settings;
        ChangeFeed feed(database.options());
        feed.on("trips", [&] { trips.ring(); });
        feed.on("settings", [&] { settings.ring(); });
        feed.start();
        change(*writer, "trips", false);
        change(*writer, "settings");
        REQUIRE(settings.rung(1));
        CHECK(trips.times() == 0);
        change(*writer, "trips");
        REQUIRE(trips.rung(1));
        change(*writer, "trips");
        REQUIRE(trips.rung(2));
        feed.stop();
        CHECK(settings.times() == 1);
        change(*writer, "settings");
        CHECK(settings.times() == 1);
    });
}

TEST_CASE("a feed that reads the counters beside its caller reports every change after that") {
    each_database([](Database& database) {
        CAPTURE(database.name());
        const auto writer = database.open();
        (void)migrate(*writer, "base", embedded::base_steps(), Instant{});
        change(*writer, "trips");
        Bell trips;
        ChangeFeed feed(database.options());
        feed.on("trips", [&] { trips.ring(); });
        feed.begin();
        feed.noted();
        feed.noted();
        change(*writer, "trips");
        REQUIRE(trips.rung(1));
        CHECK(trips.times() == 1);
        feed.stop();
        feed.begin();
        feed.noted();
        change(*writer, "trips");
        REQUIRE(trips.rung(2));
        CHECK(trips.times() == 2);
    });
}

TEST_CASE("a feed started before its database answers notifies all listeners once it does") {
    each_database([](Database& database) {
        CAPTURE(database.name());
        const auto writer = database.open();
        Bell trips;
        ChangeFeed feed(database.options());
        feed.on("trips", [&] { trips.ring(); });
        feed.start();  // no table yet
        (void)migrate(*writer, "base", embedded::base_steps(), Instant{});
        REQUIRE(trips.rung(1));
        change(*writer, "trips");
        REQUIRE(trips.rung(2));
    });
}

TEST_CASE("a listener that throws is called again") {
    const auto database = Database::sqlite();
    const auto writer = database->open();
    (void)migrate(*writer, "base", embedded::base_steps(), Instant{});
    Bell bell;
    ChangeFeed feed(database->options());
    feed.on("trips", [&] {
        bell.ring();
        throw std::runtime_error("broken");
    });
    feed.start();
    change(*writer, "trips");
    REQUIRE(bell.rung(1));
    change(*writer, "trips");
    REQUIRE(bell.rung(2));
}

TEST_CASE("a change whose notice was lost, or never sent, is told all the same") {
    each_database([](Database& database) {
        CAPTURE(database.name());
        const auto writer = database.open();
        (void)migrate(*writer, "base", embedded::base_steps(), Instant{});
        change(*writer, "trips");
        Bell trips;
        ChangeFeed feed(database.options());
        feed.on("trips", [&] { trips.ring(); });
        feed.start();
        (void)writer->write([](Transaction& tx) -> Result<void> {
            touch(tx, "trips", Announce::polled);
            return {};
        });
        REQUIRE(trips.rung(1));
        if (writer->dialect() == Dialect::postgresql) {
            // The session that listens, and every other idle one, is cut off while the change is committed.
            (void)writer->write([](Transaction& tx) -> Result<void> {
                tx.each(
                    "SELECT CAST(pg_terminate_backend(pid) AS TEXT) FROM pg_stat_activity"
                    " WHERE datname = current_database() AND pid <> pg_backend_pid()",
                    "t", {}, [](const Row&) {});
                touch(tx, "trips");
                return {};
            });
            REQUIRE(trips.rung(2));
            change(*writer, "trips");
            REQUIRE(trips.rung(3));
        }
    });
}
