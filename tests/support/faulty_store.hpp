// A store that fails where it is told to, around a real one.
#pragma once

#include <atomic>
#include <exception>
#include <functional>
#include <mutex>
#include <string_view>

#include "shared/store/store.hpp"

namespace svc::tests {

// Hears of each step before it is taken, on the thread that takes it. What it throws happens in the step's place.
class Watcher {
  public:
    virtual ~Watcher() = default;
    virtual void begins(bool writes) = 0;              // a transaction, or a read, asks for its session
    virtual void begun(store::Transaction& real) = 0;  // it has it
    virtual void statement(std::string_view sql) = 0;  // runs next
    virtual void stepped() = 0;                        // the statement has ended, well or not
    virtual std::exception_ptr commits() = 0;          // what the caller hears in place of success; null: success
    virtual void ended(bool writes) = 0;               // however it did
};

// Counts from 1, over all sessions and threads, since the last reset. The real store must outlive it.
class FaultyStore final : public store::Store {
  public:
    explicit FaultyStore(store::Store& real) : real_(real) {}

    // The k-th statement throws before it runs; what() as a database would say it.
    void fail_statement(
        int k, std::exception_ptr what = std::make_exception_ptr(store::Unavailable("The database is not available.")));
    void fail_next(std::exception_ptr what) { fail_statement(statements_ + 1, std::move(what)); }
    // The k-th transaction that would commit is rolled back and Unavailable.
    void fail_commit(int k) { failing_commit_ = k; }
    // The k-th transaction commits, but the caller hears Unavailable, as when the answer was lost on the way.
    void lose_answer(int k) { lost_answer_ = k; }
    // Runs after each statement with its number.
    void after_statement(std::function<void(int)> then) { after_statement_ = std::move(then); }
    void watched_by(Watcher* watcher) { watcher_ = watcher; }  // outlives it
    void reset();

    [[nodiscard]] int statements() const { return statements_; }
    [[nodiscard]] int commits() const { return commits_; }

    [[nodiscard]] store::Dialect dialect() const override { return real_.dialect(); }
    void read(const std::function<void(store::Session&)>& work) override;
    Result<void> write(const std::function<Result<void>(store::Transaction&)>& work) override;
    Result<void> write_relaxed(const std::function<Result<void>(store::Transaction&)>& work) override;

    // Called by the sessions it hands out.
    void before(std::string_view sql);
    void after() const;
    void stepped() const;

  private:
    Result<void> transacted(const std::function<Result<void>(store::Transaction&)>& work, store::Durability how);

    store::Store& real_;
    std::atomic<int> statements_ = 0, commits_ = 0;
    std::atomic<int> failing_statement_ = 0, failing_commit_ = 0, lost_answer_ = 0;
    std::exception_ptr what_;
    std::function<void(int)> after_statement_;
    Watcher* watcher_ = nullptr;
};

}  // namespace svc::tests
