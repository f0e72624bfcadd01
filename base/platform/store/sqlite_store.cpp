// The store on an SQLite file: sessions that read, and the lane that writes.
#include "base/platform/store/engine.hpp"
#include "base/platform/store/lane.hpp"
#include "base/platform/store/sqlite_connection.hpp"
#include "shared/core/no_wait.hpp"
#include "shared/store/first_of_all.hpp"
#include "shared/store/last_of_all.hpp"

namespace svc::store {
namespace {

class SqliteStore final : public Engine {
  public:
    explicit SqliteStore(const StoreOptions& options)
        : path_(sqlite_path(options)),
          lane_(options, [this] { return std::make_unique<SqliteConnection>(path_, SqliteRole::writer); }),
          readers_(options.sessions, options.lease_time,
                   [this] { return std::make_unique<SqliteConnection>(path_, SqliteRole::reader); }) {
        // The writer first: it makes the file.
        { const Pool::Lease lease(lane_.writer()); }
        { const Pool::Lease lease(readers_); }
    }

    [[nodiscard]] Dialect dialect() const override { return Dialect::sqlite; }

    void read(const std::function<void(Session&)>& work) override {
        if (Session* session = held())
            return work(*session);
        Pool::Lease lease(readers_);
        ReadSession session(lease);
        work(session);
    }

    Result<void> write(const Lane::Work& work) override {
        return written(LastOfAll::behind(FirstOfAll::before(work)), Durability::durable);
    }
    Result<void> write_relaxed(const Lane::Work& work) override { return written(work, Durability::relaxed); }

    [[nodiscard]] Activity activity() const override {
        const auto& counted = lane_.counters();
        return {.transactions = counted.transactions,
                .commits = counted.commits,
                .connects = lane_.connects() + readers_.connects(),
                .leases_refused = lane_.refused() + readers_.refused()};
    }

    std::vector<DurableSetting> durability() override {
        Pool::Lease lease(lane_.writer());
        return static_cast<SqliteConnection&>(*lease).durability();
    }

    void open_another() override { readers_.open_another(); }

    void release_memory() override {
        for (Pool* pool : {&lane_.writer(), &readers_}) {
            Pool::Lease lease(*pool);  // of the readers the one that was used last
            static_cast<SqliteConnection&>(*lease).release_memory();
        }
    }

  private:
    Result<void> written(const Lane::Work& work, Durability how) {
        NoWait::refuse();
        AfterCommit after;
        auto outcome = lane_.write(work, how, after);
        run_after(after);
        return outcome;
    }

    const std::string path_;
    Lane lane_;
    Pool readers_;
};

}  // namespace

std::unique_ptr<Engine> open_sqlite(const StoreOptions& options) { return std::make_unique<SqliteStore>(options); }

}  // namespace svc::store
