// The thread that reads the counters.
#include "base/platform/store/changes.hpp"

#include <atomic>
#include <future>
#include <map>
#include <optional>
#include <poll.h>
#include <sys/eventfd.h>
#include <thread>
#include <unistd.h>
#include <vector>

#include "base/platform/store/engine.hpp"
#include "base/platform/store/postgres_connection.hpp"
#include "base/platform/store/sqlite_connection.hpp"
#include "shared/core/log.hpp"
#include "shared/store/later.hpp"

namespace svc::store {
namespace {

constexpr auto period = std::chrono::milliseconds(200);

using Versions = std::map<std::string, std::int64_t, std::less<>>;

}  // namespace

void touch(Transaction& tx, std::string_view channel, Announce announce) {
    if (tx.dialect() == Dialect::sqlite)
        run_later(tx,
                  "INSERT INTO svc_change_counters (channel, shard, version) VALUES (:channel, 0, 1)"
                  " ON CONFLICT (channel, shard) DO UPDATE SET version = svc_change_counters.version + 1",
                  {{"channel", channel}});
    else
        run_later(
            tx,
            "INSERT INTO svc_change_counters (channel, shard, version) VALUES (:channel, pg_backend_pid() % 16, 1)"
            " ON CONFLICT (channel, shard) DO UPDATE SET version = svc_change_counters.version + 1",
            {{"channel", channel}});
    if (announce == Announce::at_once && tx.dialect() == Dialect::postgresql)
        tx.each("SELECT CAST(pg_notify('svc_changes', '') AS TEXT)", "t", {}, [](const Row&) {});
}

namespace {

// Wakes a thread that waits for a socket.
class Alarm {
  public:
    Alarm() : descriptor_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
        if (descriptor_ < 0)
            throw std::runtime_error("No descriptor is free for the change feed.");
    }
    ~Alarm() { close(descriptor_); }
    Alarm(const Alarm&) = delete;
    Alarm& operator=(const Alarm&) = delete;

    void ring() const { eventfd_write(descriptor_, 1); }
    // Until it rings, `socket` (negative: none) can be read, or the time is over.
    void wait(int socket, std::chrono::milliseconds most) const {
        pollfd watched[2]{{descriptor_, POLLIN, 0}, {socket, POLLIN, 0}};
        poll(watched, 2, static_cast<int>(most.count()));
    }

  private:
    const int descriptor_;
};

}  // namespace

struct ChangeFeed::State {
    explicit State(const StoreOptions& given) : options(given), dialect(dialect_of(given)) {}

    const StoreOptions options;
    const Dialect dialect;
    std::vector<std::pair<std::string, std::function<void()>>> listeners;

    // The feed's thread alone.
    std::unique_ptr<Connection> connection;
    std::optional<Versions> seen;
    std::optional<std::int64_t> data_version;
    bool failing = false;

    Alarm alarm;
    std::atomic<bool> stopping = false;
    std::promise<void> looked;
    std::shared_future<void> noted;
    std::thread thread;

    void connect() {
        data_version.reset();
        if (dialect == Dialect::sqlite)
            connection = std::make_unique<SqliteConnection>(sqlite_path(options), SqliteRole::reader);
        else {
            auto session = std::make_unique<PostgresConnection>(postgres_conninfo(options), false);
            session->listen("svc_changes");
            connection = std::move(session);
        }
    }

    // The socket of notices; negative when there is none.
    [[nodiscard]] int socket() const {
        if (dialect == Dialect::sqlite || !connection || connection->broken())
            return -1;
        return static_cast<PostgresConnection&>(*connection).socket();
    }

    // Reads pending notices; the counters show what changed.
    void take_notices() const {
        if (dialect == Dialect::postgresql && connection)
            static_cast<PostgresConnection&>(*connection).take_notices();
    }

    // The counters, or nothing when SQLite reports without reading that there was no commit.
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
    bool look_again(bool notify) {
        try {
            auto now = look();
            failing = false;
            if (!now)
                return true;
            const auto before = std::exchange(seen, std::move(now));
            if (notify)
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
        while (!stopping) {
            alarm.wait(socket(), period);
            if (stopping)
                return;
            take_notices();
            look_again(true);
        }
    }
};

ChangeFeed::ChangeFeed(const StoreOptions& options) : state_(std::make_unique<State>(options)) {}
ChangeFeed::~ChangeFeed() { stop(); }

void ChangeFeed::on(std::string channel, std::function<void()> changed) {
    state_->listeners.emplace_back(std::move(channel), std::move(changed));
}

void ChangeFeed::start() {
    begin();
    noted();
}

void ChangeFeed::begin() {
    if (state_->thread.joinable())
        return;
    state_->stopping = false;
    state_->looked = {};
    state_->noted = state_->looked.get_future().share();
    state_->thread = std::thread([state = state_.get()] {
        state->look_again(false);
        state->looked.set_value();
        state->run();
    });
}

void ChangeFeed::noted() { state_->noted.wait(); }

void ChangeFeed::stop() {
    if (!state_->thread.joinable())
        return;
    state_->stopping = true;
    state_->alarm.ring();
    state_->thread.join();
}

}  // namespace svc::store
