// Hooks whose actions survive a crash: rows written with the change, run by one thread after the commit.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "base/platform/events/process.hpp"
#include "base/platform/events/repository.hpp"
#include "base/platform/metrics/metrics.hpp"
#include "shared/core/date.hpp"
#include "shared/hooks/hooks.hpp"
#include "shared/hooks/registry.hpp"
#include "shared/store/store.hpp"

namespace svc::events {

struct Options {
    // Whether a listener's module is on; called from any thread. Empty: all are.
    std::function<bool(std::string_view module)> module_enabled = {};
    std::string process = process_name();
    // How long rows wait for a process that died. A listener that takes longer than half of it may be run by two.
    std::chrono::milliseconds lease{60'000};
    std::chrono::milliseconds sweep_every{60'000};
    int batch = 100;
    // How long the first event after a quiet moment waits for others, so that many share a pass and its commit.
    std::chrono::milliseconds gather{20};
};

// Register everything, then start(). The store, clock and metrics outlive it. Listeners run on one thread; their
// exceptions have no effect, except that store::Unavailable and store::Retryable keep the event for another attempt. An
// event that ends the processes which run it, or that the database rejects each time, is dead after some attempts:
// dead() lists it and the following ones continue.
class Events final : public hooks::Hooks {
  public:
    Events(store::Store& store, const Clock& clock, metrics::Registry& metrics, Options options = {});
    ~Events() override;  // stops

    void declare(const hooks::Action& action) override { registry_.declare(action); }
    void declare(const hooks::Filter& filter) override { registry_.declare(filter); }
    Result<void> on(std::string_view action, hooks::Listener listener, hooks::ActionCall call) override;
    Result<void> filter(std::string_view name, hooks::Listener listener, hooks::FilterCall call) override;
    [[nodiscard]] bool knows(std::string_view name) const override { return registry_.knows(name); }

    void emit(store::Transaction& tx, const hooks::Action& action, json::Array arguments) override;
    // Calls the action's listeners on this thread and returns after the last of them; writes no row. For actions that
    // must run before a change. Logs exceptions of listeners. Outside of transactions.
    void run_in_place(const hooks::Action& action, const json::Array& arguments) const;
    json::Value apply(const hooks::Filter& filter, json::Value value, json::Array arguments,
                      store::Transaction* tx = nullptr) const override;
    [[nodiscard]] std::vector<hooks::Action> actions() const override { return registry_.actions(); }
    [[nodiscard]] std::vector<hooks::Filter> filters() const override { return registry_.filters(); }
    [[nodiscard]] std::int64_t event_id() const override;
    [[nodiscard]] bool filtered(std::string_view filter) const override { return registry_.filtered(filter); }

    // Inside an action's listener: `work` runs in the transaction that marks the event as done, so it takes effect
    // once. If the database fails, listeners and `work` run again. Elsewhere it is its own transaction.
    using Work = std::function<Result<void>(store::Transaction&)>;
    void write(Work work);

    // Ends registration and begins to run listeners, first those of events that a dead process left behind.
    void start();
    // Runs queued events for up to `patience`, ends the thread and leaves the rest to other processes.
    void stop(std::chrono::milliseconds patience = std::chrono::seconds(10));
    // Waits until every event committed before has been run, on this thread when start() was not called. False when
    // that took longer. Never from inside a listener.
    bool drain(std::chrono::milliseconds patience = std::chrono::seconds(30));
    // Takes over what dead processes left, now instead of at the next sweep; returns how many rows. [any thread]
    std::int64_t sweep();

    [[nodiscard]] std::vector<DeadEvent> dead(int most = 100);
    // For how long the event that waits for longest has waited; nothing when none does.
    [[nodiscard]] std::optional<std::chrono::microseconds> lateness();

  private:
    using Time = std::chrono::steady_clock::time_point;
    enum class Pass : std::uint8_t { nothing, kept_back, ran, stalled };

    void wake();
    void loop();
    Pass pass();
    std::vector<EventRow> batch();
    struct Dispatched {
        std::int64_t id = 0;
        std::vector<Work> works;
        std::string request_id = {};
    };
    bool run(const EventRow& row, Dispatched& dispatched);
    std::size_t note(const std::vector<Dispatched>& dispatched);
    void note_together(const Dispatched* from, std::size_t count);
    void stalled(const EventRow& row);
    Pass pass_or_stall();

    store::Store& store_;
    const Clock& clock_;
    const Options options_;
    hooks::Registry registry_;
    metrics::Counter& dispatched_;
    metrics::Counter& taken_over_;
    metrics::Counter& buried_;

    std::mutex mutex_;
    std::condition_variable changed_;
    bool started_ = false, stopping_ = false, woken_ = false;
    std::uint64_t asked_ = 0, answered_ = 0;  // drains
    std::thread thread_;

    // Of the running thread alone.
    bool more_ = true;  // the last pass left rows
    std::int64_t stalled_id_ = 0;
    std::string problem_;  // the latest database error
    int stalls_ = 0;       // tries of that event
    int pauses_ = 0;       // passes in a row that the database refused
};

}  // namespace svc::events
