// Passes everything on but what it was told to fail.
#include "tests/support/faulty_store.hpp"

#include "shared/store/snapshot.hpp"

namespace svc::tests {
namespace {

using namespace store;

// Around one statement of the real store.
class Step {
  public:
    explicit Step(const FaultyStore& store) : store_(store) {}
    ~Step() { store_.stepped(); }
    Step(const Step&) = delete;
    Step& operator=(const Step&) = delete;

  private:
    const FaultyStore& store_;
};

class FaultySession final : public Session, public Snapshots {
  public:
    FaultySession(FaultyStore& faults, Session& real) : faults_(faults), real_(real) {}
    [[nodiscard]] Dialect dialect() const override { return real_.dialect(); }
    void each(std::string_view sql, Columns columns, const Params& params,
              const std::function<void(const Row&)>& take) override {
        faults_.before(sql);
        {
            const Step step(faults_);
            real_.each(sql, columns, params, take);
        }
        faults_.after();
    }
    std::int64_t run(std::string_view sql, const Params& params) override {
        faults_.before(sql);
        const auto affected = run_real(sql, params);
        faults_.after();
        return affected;
    }
    void hold_snapshot() override { store::hold_snapshot(real_); }

  private:
    std::int64_t run_real(std::string_view sql, const Params& params) {
        const Step step(faults_);
        return real_.run(sql, params);
    }
    FaultyStore& faults_;
    Session& real_;
};

// An injected failure ends its level as a real one does: the real transaction has not seen it.
class FaultyTransaction final : public Transaction {
  public:
    FaultyTransaction(FaultyStore& faults, Transaction& real) : faults_(faults), real_(real) {}
    [[nodiscard]] Dialect dialect() const override { return real_.dialect(); }
    void each(std::string_view sql, Columns columns, const Params& params,
              const std::function<void(const Row&)>& take) override {
        before(sql);
        {
            const Step step(faults_);
            real_.each(sql, columns, params, take);
        }
        faults_.after();
    }
    std::int64_t run(std::string_view sql, const Params& params) override {
        before(sql);
        const auto affected = run_real(sql, params);
        faults_.after();
        return affected;
    }
    void after_commit(std::function<void()> then) override { real_.after_commit(std::move(then)); }
    Result<void> attempt(const std::function<Result<void>()>& part) override {
        check_sound();
        try {
            auto outcome = real_.attempt([&]() -> Result<void> {
                auto inner = part();
                if (inner)
                    check_sound();
                return inner;
            });
            failed_ = false;
            return outcome;
        } catch (...) {
            failed_ = false;
            throw;
        }
    }
    void check_sound() const {
        if (failed_)
            throw Failure("A failed statement was swallowed inside a transaction.");
    }

  private:
    std::int64_t run_real(std::string_view sql, const Params& params) {
        const Step step(faults_);
        return real_.run(sql, params);
    }
    void before(std::string_view sql) {
        check_sound();
        try {
            faults_.before(sql);
        } catch (...) {
            failed_ = true;
            throw;
        }
    }
    FaultyStore& faults_;
    Transaction& real_;
    bool failed_ = false;
};

// Around one call of the real store.
class Asked {
  public:
    Asked(Watcher* watcher, bool writes) : watcher_(watcher), writes_(writes) {
        if (watcher_)
            watcher_->begins(writes_);
    }
    ~Asked() {
        if (watcher_)
            watcher_->ended(writes_);
    }
    Asked(const Asked&) = delete;
    Asked& operator=(const Asked&) = delete;

  private:
    Watcher* const watcher_;
    const bool writes_;
};

}  // namespace

void FaultyStore::fail_statement(int k, std::exception_ptr what) {
    what_ = std::move(what);
    failing_statement_ = k;
}

void FaultyStore::reset() {
    statements_ = commits_ = 0;
    failing_statement_ = failing_commit_ = lost_answer_ = 0;
    after_statement_ = nullptr;
}

void FaultyStore::before(std::string_view sql) {
    if (watcher_)
        watcher_->statement(sql);
    if (++statements_ == failing_statement_)
        std::rethrow_exception(what_);
}

void FaultyStore::after() const {
    if (after_statement_)
        after_statement_(statements_);
}

void FaultyStore::stepped() const {
    if (watcher_)
        watcher_->stepped();
}

void FaultyStore::read(const std::function<void(Session&)>& work) {
    const Asked asked(watcher_, false);
    real_.read([&](Session& session) {
        FaultySession faulty(*this, session);
        work(faulty);
    });
}

Result<void> FaultyStore::write(const std::function<Result<void>(Transaction&)>& work) {
    return transacted(work, Durability::durable);
}

Result<void> FaultyStore::write_relaxed(const std::function<Result<void>(Transaction&)>& work) {
    return transacted(work, Durability::relaxed);
}

Result<void> FaultyStore::transacted(const std::function<Result<void>(Transaction&)>& work, Durability how) {
    bool lost = false;
    std::exception_ptr instead;
    const auto run = [&](Transaction& tx) -> Result<void> {
        if (watcher_)
            watcher_->begun(tx);
        FaultyTransaction faulty(*this, tx);
        auto done = work(faulty);
        if (!done)
            return done;
        faulty.check_sound();
        const int commit = ++commits_;
        if (commit == failing_commit_)
            throw Unavailable("The database is not available.");
        lost = commit == lost_answer_;
        if (watcher_)
            instead = watcher_->commits();
        return done;
    };
    const Asked asked(watcher_, true);
    auto outcome = how == Durability::durable ? real_.write(run) : real_.write_relaxed(run);
    if (lost)
        throw Unavailable("The database is not available.");
    if (instead && outcome)
        std::rethrow_exception(instead);
    return outcome;
}

}  // namespace svc::tests
