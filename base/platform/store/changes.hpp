// Tells within a second what another process changed, by named channels.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "base/platform/store/open.hpp"

namespace svc::store {

// How others hear of a change. On PostgreSQL `at_once` sends a notice too, which holds one lock for the whole database
// until its commit is on disk: what is committed as often as bookings are is `polled`, so that they commit side by
// side.
enum class Tell : std::uint8_t { at_once, polled };

// Counts a change on `channel`, told once the transaction has committed. Call it last: on PostgreSQL one of the
// channel's sixteen rows stays locked until the commit.
void touch(Transaction& tx, std::string_view channel, Tell tell = Tell::at_once);

// Looks at svc_change_counters on a session of its own, five times a second and, on PostgreSQL, whenever a notice
// comes. A lost notice or a lost database loses no change: the counters are compared whatever woke it.
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

    // Notes the counters before it returns, so what is loaded from then on misses nothing. When it cannot, every
    // callback runs once the database answers.
    void start();
    // As start(), but notes them beside the caller: noted() waits for that.
    void begin();
    void noted();
    void stop();  // no callback runs after it returned; not from a callback

  private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace svc::store
