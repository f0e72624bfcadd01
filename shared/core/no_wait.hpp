// Threads that must not block: code that would block throws instead, and the request is run again on another thread.
#pragma once

namespace svc {

// Thrown on such a thread before anything changed. It is no std::exception, so that handlers of failures let it pass.
// It never crosses the plugin interface: there a call fails, and the base throws it again above the plugin's frames
// (see refused()).
struct WouldWait {};

// During its lifetime blocking code throws WouldWait on this thread. One at a time per thread.
class NoWait {
  public:
    NoWait() noexcept;
    ~NoWait();
    NoWait(const NoWait&) = delete;
    NoWait& operator=(const NoWait&) = delete;

    [[nodiscard]] static bool here() noexcept;
    // Called at the start of everything that may block: a request to another server, a write, a call into a plugin.
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
