// A thread that must not wait: what would wait there says so instead, and the request is taken up by a thread that may.
#pragma once

namespace svc {

// Thrown on such a thread by what would wait, before it has changed anything. It is no std::exception, as it is no
// failure: whoever handles those lets it pass. It never crosses the plugin interface: there a call fails, and the base
// throws it again above the plugin's frames (see refused()).
struct WouldWait {};

// While one lives, whatever may wait throws WouldWait on this thread. One at a time a thread.
class NoWait {
  public:
    NoWait() noexcept;
    ~NoWait();
    NoWait(const NoWait&) = delete;
    NoWait& operator=(const NoWait&) = delete;

    [[nodiscard]] static bool here() noexcept;
    // Stands at the start of whatever may wait: a call to another server, a write, a call into a plugin.
    static void refuse() {
        if (here())
            raise();
    }
    // Whether refuse() has thrown on this thread since the one that lives here was made.
    [[nodiscard]] static bool refused() noexcept;

  private:
    [[noreturn]] static void raise();
};

}  // namespace svc
