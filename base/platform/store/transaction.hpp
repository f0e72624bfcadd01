// The sessions handed to a store's callers.
#pragma once

#include <atomic>
#include <functional>
#include <vector>

#include "base/platform/store/pool.hpp"
#include "shared/store/behind.hpp"
#include "shared/store/later.hpp"
#include "shared/store/snapshot.hpp"

namespace svc::store {

using AfterCommit = std::vector<std::function<void()>>;

// Reads, each statement by itself. A session that died while it was idle is replaced once, unseen by the caller.
class ReadSession final : public Session, public Snapshots {
  public:
    explicit ReadSession(Pool::Lease& lease) : lease_(lease) {}
    [[nodiscard]] Dialect dialect() const override { return lease_->dialect(); }
    void each(std::string_view sql, Columns columns, const Params& params,
              const std::function<void(const Row&)>& take) override;
    std::int64_t run(std::string_view sql, const Params& params) override;
    void hold_snapshot() override;

  private:
    Pool::Lease& lease_;
    bool holds_ = false, has_read_ = false;
};

// The transaction of `work`. A failed statement ends its level (the transaction or the innermost attempt) on both
// databases: nothing more runs in it and it cannot succeed.
class OpenTransaction final : public Transaction, public Later, public Awaited {
  public:
    // `after` receives the calls of after_commit; `waiting`: how many writers wait for this one, where they do.
    OpenTransaction(Connection& connection, AfterCommit& after, const std::atomic<int>* waiting = nullptr)
        : connection_(connection), after_(after), waiting_(waiting) {}

    [[nodiscard]] Dialect dialect() const override { return connection_.dialect(); }
    void each(std::string_view sql, Columns columns, const Params& params,
              const std::function<void(const Row&)>& take) override;
    std::int64_t run(std::string_view sql, const Params& params) override;
    void run_later(std::string_view sql, const Params& params) override;
    void after_commit(std::function<void()> then) override { after_.push_back(std::move(then)); }
    Result<void> attempt(const std::function<Result<void>()>& part) override;
    [[nodiscard]] int waiting() const override { return waiting_ ? waiting_->load() : 0; }

    // Throws Failure when a failed statement was swallowed.
    void check_sound() const;

  private:
    template <class Work>
    auto at_level(Work&& work);

    Connection& connection_;
    AfterCommit& after_;
    const std::atomic<int>* const waiting_;
    bool failed_ = false;
};

// Forbids a transaction inside another one on the same thread, which would wait for itself.
class Inside {
  public:
    Inside();  // throws std::logic_error
    ~Inside();
    Inside(const Inside&) = delete;
    Inside& operator=(const Inside&) = delete;
};
[[nodiscard]] bool is_inside() noexcept;  // this thread is inside a transaction
// Throws std::logic_error inside a transaction.
void refuse_inside();

// Runs the calls of after_commit; logs a failure, since nothing can be undone.
void run_after(const AfterCommit& after) noexcept;

}  // namespace svc::store
