// The thread that writes what sockets did not accept at once, between two checks of deadlines.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <unordered_map>

namespace svc::http {

class Connection;

class Drain {
  public:
    // `look` is called every `interval` on the drain's thread, with the time.
    Drain(std::chrono::milliseconds interval, std::function<void(std::chrono::steady_clock::time_point)> look);
    ~Drain();

    // Calls connection->resume() whenever the socket takes bytes again, until it returns false. [any thread]
    // False when the descriptor cannot be watched.
    [[nodiscard]] bool watch(const std::shared_ptr<Connection>& connection);
    void stop();

  private:
    void run();
    // Watches on when there is `more`; returns whether it does.
    [[nodiscard]] bool keep(const Connection& connection, bool more);

    const std::chrono::milliseconds interval_;
    const std::function<void(std::chrono::steady_clock::time_point)> look_;
    const int epoll_;
    const int wake_;
    std::mutex mutex_;
    // By id instead of pointer: an event may arrive after its connection ended.
    std::unordered_map<std::uint64_t, std::shared_ptr<Connection>> watched_;
    std::atomic<bool> stopped_{false};
    std::thread thread_;
};

}  // namespace svc::http
