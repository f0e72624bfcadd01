// Pistache behind our own door: listening, accepting, epoll threads and the read loop.
#pragma once

#include <cstdint>
#include <memory>

namespace svc::http {

class Hub;

class Listener {
  public:
    // Listens and reads from now on; throws std::runtime_error when the address cannot be had.
    explicit Listener(Hub& hub);
    ~Listener();

    [[nodiscard]] std::uint16_t port() const;
    // New connections are refused by the kernel, or wait for the next server on an inherited socket; those accepted go
    // on.
    void stop_accepting();
    // Ends Pistache's threads. No connection may be left by then: it would lose its bytes.
    void shutdown();

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace svc::http
