// One of several threads goes on at a time, from one step at the database to the next, and a seed says which.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "tests/support/faulty_store.hpp"
#include "tests/support/random.hpp"

namespace svc::tests {

// Ends an actor's operation where it stands, as the end of its process would. No std::exception: nobody handles it.
struct Killed {};

// How often each of what a schedule can hold was in it.
struct Counts {
    std::int64_t steps = 0, switches = 0, waits = 0, waits_given_up = 0, faults = 0, kills = 0, lost_answers = 0,
                 clock_steps = 0;
    Counts& operator+=(const Counts& more);
};

// Runs actors, each on a thread of its own. An actor stops before each session it asks for, each statement and each
// commit, and after a statement that had to wait for a lock; it goes on when it is its turn. Who waits for SQLite's
// one writer or for a lock of PostgreSQL has no turn until it is let go. Of two that wait for one row, or for
// the end of one transaction, PostgreSQL serves either first: the second's time is up at once, as it is after three
// seconds elsewhere. So a schedule is a function of the seed.
class Baton final : public Watcher {
  public:
    struct Ways {
        bool one_after_the_other = false;  // an actor goes on until it has ended
        bool faults = true;
    };
    // A session that waits for a lock, and those it waits for, by their processes' numbers.
    struct Waiting {
        std::int64_t process = 0;
        std::vector<std::int64_t> behind = {};
        bool queued = false;  // behind another who waits for the same row
    };
    struct Around {
        // The waiting threads. Empty if the database has one writer.
        std::function<std::vector<Waiting>()> waiting = {};
        std::function<void(std::int64_t process)> give_up_waiting = {};
        std::function<void()> step_clock = {};  // between two steps
        std::function<void()> committed = {};   // after each commit; nobody goes on meanwhile
        std::function<void()> stuck = {};       // nobody can go on; does not return
    };
    Baton(Around around, Ways ways, std::uint64_t seed) : around_(std::move(around)), ways_(ways), chance_(seed) {}

    // Until all have ended.
    void run(const std::vector<std::function<void()>>& actors);
    [[nodiscard]] const std::vector<std::string>& trace() const { return trace_; }
    [[nodiscard]] const Counts& counts() const { return counts_; }
    // Adds to the trace; from an actor that has its turn, or between runs.
    void note(const std::string& line);

    void begins(bool writes) override;
    void begun(store::Transaction& real) override;
    void statement(std::string_view sql) override;
    void stepped() override;
    std::exception_ptr commits() override;
    void ended(bool writes) override;

  private:
    enum class State : std::uint8_t { stopped, going, waiting, ended };
    enum class Point : std::uint8_t { start, read, write, statement, commit, woken };
    enum class Order : std::uint8_t { go, refuse, conflict, lose, kill, kill_after };
    struct Actor {
        std::size_t number = 0;
        State state = State::going;
        Point point = Point::start;
        Order order = Order::go;
        std::string sql = {};
        bool writing = false;
        std::int64_t process = 0;               // of the database, that serves its transaction
        std::vector<std::int64_t> behind = {};  // while it waits
        bool queued = false;
        std::condition_variable turn = {};
        std::thread thread = {};
    };

    // Stops until it is this actor's turn; what it is to do then.
    Order stop(Point point, std::string_view sql = {});
    void settle(std::unique_lock<std::mutex>& lock);
    [[nodiscard]] bool behind_an_actor(const Waiting& one) const;
    // Of those that have come to wait now, whoever waits behind the same as another.
    Actor* one_too_many(const std::vector<Waiting>& waiting);
    Actor* next();
    Order fate(const Actor& actor);
    void cancel_charge(std::unique_lock<std::mutex>& lock, Actor& actor);

    static thread_local Actor* self;

    const Around around_;
    const Ways ways_;
    test::Random chance_;
    std::int64_t steadiness_ = 0;  // of a hundred steps, those after which the same actor goes on
    std::mutex mutex_;
    std::condition_variable stopped_;
    std::uint64_t changes_ = 0;  // of states
    std::vector<std::unique_ptr<Actor>> actors_;
    Actor* last_ = nullptr;
    Actor* writer_ = nullptr;  // where there is one
    std::vector<std::string> trace_;
    Counts counts_;
};

}  // namespace svc::tests
