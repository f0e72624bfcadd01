// The operator's signals and the service manager's socket.
#pragma once

#include <chrono>
#include <string>

namespace svc::shell {

// Blocks SIGTERM, SIGINT and SIGHUP for wait(); SIGPIPE is ignored. Create it before any thread, since threads inherit
// the mask.
class Signals {
  public:
    Signals();
    ~Signals();
    Signals(const Signals&) = delete;
    Signals& operator=(const Signals&) = delete;

    static constexpr std::chrono::milliseconds forever{-1};
    // True: a signal came. False: the time is over, or `other` became readable.
    bool wait(std::chrono::milliseconds time, int other = -1);
    // From now on a signal ends the process at once.
    void release();

  private:
    int descriptor_;
};

// Notifies the service manager if NOTIFY_SOCKET is set ("READY=1"). Ignores errors: nobody may be listening.
void notify_manager(const std::string& message);

// The soft limit of open descriptors becomes the hard one.
void raise_descriptor_limit();

// A crash writes nothing to the disk: the memory of this process holds the keys and passwords that it works with.
void leave_no_core();

}  // namespace svc::shell
