// SQLite's one writer: work of several threads runs in turn, each in its savepoint, before one durable commit.
#pragma once

#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "base/platform/store/engine.hpp"

namespace svc::store {

// Any thread, without a thread of its own: the first caller leads, waits for the file, runs the queued jobs, commits,
// and hands the lead to the next waiting caller. Long work (Behind) runs alone, when the queue is empty. Why: a sync
// costs more than the work between two of them, and writers that poll for the file's lock starve. While another program
// locks the file, one caller waits for it (5 s at most, sqlite_connection.cpp) and the others are Unavailable once that
// has lasted as long as callers wait for the lane (docs/operating.md).
class Lane {
  public:
    using Work = std::function<Result<void>(Transaction&)>;
    Lane(const StoreOptions& options, Pool::Connect connect);

    // As Store::write, except that `after` is filled and not run.
    Result<void> write(const Work& work, Durability how, AfterCommit& after);

    [[nodiscard]] std::int64_t refused() const { return refused_ + pool_.refused(); }
    [[nodiscard]] std::int64_t connects() const { return pool_.connects(); }
    [[nodiscard]] const Counters& counters() const { return counters_; }
    Pool& writer() { return pool_; }

  private:
    struct Job {
        const Work* work = nullptr;
        const std::string* correlation = nullptr;  // of the waiting caller
        Durability how = Durability::durable;
        bool behind = false;  // of long work: alone, and after the others
        std::chrono::steady_clock::time_point since;
        AfterCommit* after = nullptr;
        std::optional<Result<void>> outcome;
        std::exception_ptr thrown;
        enum class State : std::uint8_t { queued, leading, running, done } state = State::queued;
        std::condition_variable changed;
    };
    using Batch = std::vector<Job*>;

    void wait_for_turn(std::unique_lock<std::mutex>& lock, Job& job);
    void lead(std::unique_lock<std::mutex>& lock, Job& own);
    void run(std::unique_lock<std::mutex>& lock, Durability how);
    void take_along(Durability how);
    void leave_queue(Job& job);
    [[nodiscard]] Job* next_leader() const;
    void begin(Pool::Lease& session, Durability how);
    bool run_jobs(Pool::Lease& session, const Batch& batch, Durability how);
    bool run_bare(Connection& session, const Batch& batch);
    bool run_apart(Connection& session, const Batch& batch);
    void run_job(Connection& session, Job& job);
    static void fail_all(const Batch& batch, const std::exception_ptr& why);

    const std::chrono::milliseconds patience_;
    const std::size_t widest_;
    Pool pool_;  // of one session
    std::mutex mutex_;
    std::deque<Job*> queue_;
    std::atomic<int> waiting_ = 0;  // those in it that are not behind
    bool led_ = false;
    Batch batch_;              // the leader alone uses it; it has room for the widest
    bool locked_out_ = false;  // the leader's as well: the one before it did not get the file
    // from then on callers no longer wait behind the leader
    std::atomic<std::chrono::steady_clock::time_point> queue_ends_;
    std::atomic<std::int64_t> refused_ = 0;
    Counters counters_;
};

}  // namespace svc::store
