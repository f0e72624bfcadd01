// The thread that polls the counters.
#include "base/platform/store/changes.hpp"

#include <condition_variable>
#include <map>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "base/platform/store/engine.hpp"
#include "base/platform/store/postgres_connection.hpp"
#include "base/platform/store/sqlite_connection.hpp"
#include "shared/core/log.hpp"

namespace svc::store {
namespace {

constexpr auto period = std::chrono::milliseconds(200);

using Versions = std::map<std::string, std::int64_t, std::less<>>;

}  // namespace

void touch(Transaction& tx, std::string_view channel) {
    if (tx.dialect() == Dialect::sqlite)
        tx.run(
            "INSERT INTO svc_change_counters (channel, shard, version) VALUES (:channel, 0, 1)"
            " ON CONFLICT (channel, shard) DO UPDATE SET version = svc_change_counters.version + 1",
            {{"channel", channel}});
    else
        tx.run(
            "INSERT INTO svc_change_counters (channel, shard, version) VALUES (:channel, pg_backend_pid() % 16, 1)"
            " ON CONFLICT (channel, shard) DO UPDATE SET version = svc_change_counters.version + 1",
            {{"channel", channel}});
}

struct ChangeFeed::State {
    explicit State(const StoreOptions& given) : options(given), dialect(dialect_of(given)) {}

    const StoreOptions options;
    const Dialect dialect;
    std::vector<std::pair<std::string, std::function<void()>>> listeners;

    // The feed's thread alone, and start() before there is one.
    std::unique_ptr<Connection> connection;
    std::optional<Versions> seen;
    std::optional<std::int64_t> data_version;
    bool failing = false;

    std::mutex mutex;
    std::condition_variable wake;
    bool stopping = false;
    std::thread thread;

    void connect() {
        data_version.reset();
        if (dialect == Dialect::sqlite)
            connection = std::make_unique<SqliteConnection>(sqlite_path(options), SqliteRole::reader);
        else
            connection = std::make_unique<PostgresConnection>(postgres_conninfo(options), false);
    }

    // The counters, or nothing when SQLite can tell without reading them that nobody committed.
    std::optional<Versions> look() {
        if (!connection || connection->broken())
            connect();
        if (dialect == Dialect::sqlite) {
            const auto version = static_cast<SqliteConnection&>(*connection).data_version();
            if (data_version == version)
                return std::nullopt;
            data_version = version;
        }
        Versions versions;
        connection->each("SELECT channel, CAST(SUM(version) AS BIGINT) FROM svc_change_counters GROUP BY channel", "ti",
                         {}, [&](const Row& row) { versions.emplace(row.text(0), row.integer(1)); });
        return versions;
    }

    // False when the database does not answer.
    bool poll(bool tell) {
        try {
            auto now = look();
            failing = false;
            if (!now)
                return true;
            const auto before = std::exchange(seen, std::move(now));
            if (tell)
                tell_of_changes(before);
            return true;
        } catch (const std::exception& error) {
            if (!std::exchange(failing, true))
                log::warning("change_feed_failed", {{"cause", log::redacted(error.what())}});
            connection.reset();
            return false;
        }
    }

    void tell_of_changes(const std::optional<Versions>& before) {
        for (const auto& [channel, changed] : listeners) {
            const auto is = seen->find(channel);
            if (before &&
                (is == seen->end() || (before->contains(channel) && before->find(channel)->second == is->second)))
                continue;
            try {
                changed();
            } catch (const std::exception& error) {
                log::error("change_listener_failed", {{"channel", channel}, {"cause", log::redacted(error.what())}});
            }
        }
    }

    void run() {
        std::unique_lock lock(mutex);
        while (!wake.wait_for(lock, period, [&] { return stopping; })) {
            lock.unlock();
            poll(true);
            lock.lock();
        }
    }
};

ChangeFeed::ChangeFeed(const StoreOptions& options) : state_(std::make_unique<State>(options)) {}
ChangeFeed::~ChangeFeed() { stop(); }

void ChangeFeed::on(std::string channel, std::function<void()> changed) {
    state_->listeners.emplace_back(std::move(channel), std::move(changed));
}

void ChangeFeed::start() {
    if (state_->thread.joinable())
        return;
    state_->stopping = false;
    state_->poll(false);
    state_->thread = std::thread([state = state_.get()] { state->run(); });
}

void ChangeFeed::stop() {
    if (!state_->thread.joinable())
        return;
    {
        const std::lock_guard lock(state_->mutex);
        state_->stopping = true;
    }
    state_->wake.notify_all();
    state_->thread.join();
}

}  // namespace svc::store
