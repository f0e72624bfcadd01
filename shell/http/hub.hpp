// State that all connections of one server share.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "shell/http/budget.hpp"
#include "shell/http/counters.hpp"
#include "shell/http/drain.hpp"
#include "shell/http/pool.hpp"
#include "shell/http/server.hpp"

namespace svc::http {

class Connection;
class Source;

class Hub {
    std::mutex mutex_;
    std::condition_variable changed_;
    std::unordered_map<std::uint64_t, std::weak_ptr<Connection>> connections_;
    std::unordered_map<std::string, std::size_t> per_address_;
    std::size_t most_connections_;
    std::uint64_t last_id_ = 0;
    bool hurried_ = false;
    bool closed_ = false;

  public:
    Hub(const Options& options, Application& application);
    ~Hub();

    // A connection for the descriptor, which stays the caller's; null when there is no room for it. [I/O thread]
    // `source` outlives it.
    std::shared_ptr<Connection> admit(Source& source, int socket, std::string peer);
    // Called as the last thing of a connection's life.
    void forget(const Connection& connection);

    [[nodiscard]] std::vector<std::shared_ptr<Connection>> connections();
    // Those there are, once no more are admitted: one that waits for its I/O thread would otherwise come after the end.
    [[nodiscard]] std::vector<std::shared_ptr<Connection>> last_connections();
    // Waits until `moment` or hurry().
    void wait_until(std::chrono::steady_clock::time_point moment);
    enum class Heed : std::uint8_t { hurry, nothing };
    // Waits until no connection is left, `deadline` or hurry().
    void wait_until_empty(std::chrono::steady_clock::time_point deadline, Heed heed = Heed::hurry);
    void hurry();

    const Options options;
    Application& application;
    LiveCounters counters;
    ByteBudget bytes, upload_bytes;
    std::atomic<bool> draining{false};
    // Their threads use everything above, so they are made last and go first.
    Pool pool;
    Drain drain;
};

}  // namespace svc::http
