// Reports within a second what another process changed, by named channels.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "base/platform/store/open.hpp"

namespace svc::store {

// How other processes learn of a change. On PostgreSQL `at_once` also sends a notice, which locks the whole database
// until its commit is on disk: frequent changes, such as bookings, are `polled`, so that their commits run in parallel.
enum class Announce : std::uint8_t { at_once, polled };

// Counts a change on `channel`, reported once the transaction has committed. Call it last: on PostgreSQL one of the
// channel's sixteen rows stays locked until the commit.
void touch(Transaction& tx, std::string_view channel, Announce announce = Announce::at_once);

// Polls svc_change_counters with its own session, five times a second and, on PostgreSQL, at each notice. A lost
// notice or connection loses no change, since the counters are compared each time.
class ChangeFeed {
  public:
    // Any thread for start and stop, one at a time. Throws std::runtime_error for an address that cannot be read.
    explicit ChangeFeed(const StoreOptions& options);
    ~ChangeFeed();  // stops
    ChangeFeed(const ChangeFeed&) = delete;
    ChangeFeed& operator=(const ChangeFeed&) = delete;

    // Before start() only. `changed` runs on the feed's thread, one call at a time, for changes of any process, this
    // one included, and now and then without one; several changes may be one call.
    void on(std::string channel, std::function<void()> changed);

    // Reads the counters before it returns, so data loaded afterwards misses no change. If that fails, every callback
    // runs once the database is reachable.
    void start();
    // As start(), but reads them on another thread: noted() waits for that.
    void begin();
    void noted();
    void stop();  // no callback runs after it returned; not from a callback

  private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace svc::store
