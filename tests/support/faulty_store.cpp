// Passes everything on but what it was told to fail.
#include "tests/support/faulty_store.hpp"

namespace svc::tests {
namespace {

using namespace store;

class FaultySession final : public Session {
  public:
    FaultySession(FaultyStore& faults, Session& real) : faults_(faults), real_(real) {}
    [[nodiscard]] Dialect dialect() const override { return real_.dialect(); }
    void each(std::string_view sql, Columns columns, const Params& params,
              const std::function<void(const Row&)>& take) override {
        faults_.before();
        real_.each(sql, columns, params, take);
        faults_.after();
    }
    std::int64_t run(std::string_view sql, const Params& params) override {
        faults_.before();
        const auto affected = real_.run(sql, params);
        faults_.after();
        return affected;
    }

  private:
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
        before();
        real_.each(sql, columns, params, take);
        faults_.after();
    }
    std::int64_t run(std::string_view sql, const Params& params) override {
        before();
        const auto affected = real_.run(sql, params);
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
    void before() {
        check_sound();
        try {
            faults_.before();
        } catch (...) {
            failed_ = true;
            throw;
        }
    }
    FaultyStore& faults_;
    Transaction& real_;
    bool failed_ = false;
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

void FaultyStore::before() {
    if (++statements_ == failing_statement_)
        std::rethrow_exception(what_);
}

void FaultyStore::after() const {
    if (after_statement_)
        after_statement_(statements_);
}

void FaultyStore::read(const std::function<void(Session&)>& work) {
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
    const auto run = [&](Transaction& tx) -> Result<void> {
        FaultyTransaction faulty(*this, tx);
        auto done = work(faulty);
        if (!done)
            return done;
        faulty.check_sound();
        const int commit = ++commits_;
        if (commit == failing_commit_)
            throw Unavailable("The database is not available.");
        lost = commit == lost_answer_;
        return done;
    };
    auto outcome = how == Durability::durable ? real_.write(run) : real_.write_relaxed(run);
    if (lost)
        throw Unavailable("The database is not available.");
    return outcome;
}

}  // namespace svc::tests
