// Copies the log's lines into svc_logs, so that staff read them in the admin: bounded in memory, in rows and in
// days. Losing lines there loses nothing of the log itself.
#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

#include "base/maintenance/log_entry.hpp"
#include "shared/core/log_follower.hpp"

namespace svc::maintenance {

// One a process follows the log at a time: the latest that was started. Any thread.
class LogBook {
  public:
    static constexpr std::int64_t most_rows = 100'000;  // the oldest leave
    static constexpr std::size_t most_waiting = 1'000;  // lines in memory; more are counted and dropped

    explicit LogBook(store::Store& store) : store_(store) {}
    ~LogBook() { stop(); }
    LogBook(const LogBook&) = delete;
    LogBook& operator=(const LogBook&) = delete;

    void start();  // follows the log; its own thread writes rows once a second
    void stop();   // writes the queued lines
    // Writes the queued lines on this thread, so that the next read sees them.
    void flush();
    [[nodiscard]] std::int64_t dropped() const { return dropped_; }

  private:
    void take(log::Level level, std::string_view event, std::string_view line);
    void loop();
    bool write(const std::deque<std::string>& lines);

    store::Store& store_;
    std::atomic<std::int64_t> dropped_ = 0;
    std::mutex mutex_, writing_;
    std::condition_variable changed_;
    std::deque<std::string> waiting_;
    bool started_ = false, stopping_ = false;
    std::thread thread_;
};

}  // namespace svc::maintenance
