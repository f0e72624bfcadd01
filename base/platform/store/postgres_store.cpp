// The store on PostgreSQL: one pool of sessions that read and write.
#include "base/platform/store/engine.hpp"
#include "base/platform/store/postgres_connection.hpp"
#include "shared/core/no_wait.hpp"
#include "shared/store/first_of_all.hpp"
#include "shared/store/last_of_all.hpp"

namespace svc::store {
namespace {

class PostgresStore final : public Engine {
  public:
    using Work = std::function<Result<void>(Transaction&)>;
    explicit PostgresStore(const StoreOptions& options)
        : conninfo_(postgres_conninfo(options)),
          sessions_(options.sessions, options.lease_time, [this, durable = options.require_durable] {
              return std::make_unique<PostgresConnection>(conninfo_, durable);
          }) {
        const Pool::Lease lease(sessions_);
    }

    [[nodiscard]] Dialect dialect() const override { return Dialect::postgresql; }

    void read(const std::function<void(Session&)>& work) override {
        NoWait::refuse();
        if (Session* session = held())
            return work(*session);
        Pool::Lease lease(sessions_);
        ReadSession session(lease);
        work(session);
    }

    Result<void> write(const Work& work) override {
        return written(LastOfAll::behind(FirstOfAll::before(work)), Durability::durable);
    }
    Result<void> write_relaxed(const Work& work) override { return written(work, Durability::relaxed); }

    [[nodiscard]] Activity activity() const override {
        return {.transactions = counters_.transactions,
                .commits = counters_.commits,
                .retries = counters_.retries,
                .connects = sessions_.connects(),
                .leases_refused = sessions_.refused()};
    }

    std::vector<DurableSetting> durability() override {
        Pool::Lease lease(sessions_);
        return static_cast<PostgresConnection&>(*lease).durability();
    }

    void open_another() override { sessions_.open_another(); }

  private:
    Result<void> written(const Work& work, Durability how) {
        NoWait::refuse();
        refuse_inside();
        for (int tries = 1;; ++tries) {
            AfterCommit after;
            try {
                auto outcome = once(work, how, after);
                run_after(after);
                return outcome;
            } catch (const Retryable&) {
                if (tries >= most_tries)
                    throw Unavailable("The database is too busy.");
            }
            ++counters_.retries;
            back_off(tries);
        }
    }

    // The lease rolls back an open transaction on early return.
    Result<void> once(const Work& work, Durability how, AfterCommit& after) {
        Pool::Lease session(sessions_);
        begin(session, how);
        OpenTransaction transaction(*session, after);
        auto outcome = [&] {
            const Inside inside;
            return work(transaction);
        }();
        if (!outcome) {
            after.clear();
            return outcome;
        }
        transaction.check_sound();
        session->commit();
        ++counters_.commits;
        ++counters_.transactions;
        return outcome;
    }

    // A session that died while it was idle is replaced once, before anything ran on it.
    static void begin(Pool::Lease& session, Durability how) {
        try {
            session->begin(how);
        } catch (const Unavailable&) {
            if (!session->broken())
                throw;
            session.renew();
            session->begin(how);
        }
    }

    const std::string conninfo_;
    Pool sessions_;
    Counters counters_;
};

}  // namespace

std::unique_ptr<Engine> open_postgres(const StoreOptions& options) { return std::make_unique<PostgresStore>(options); }

}  // namespace svc::store
