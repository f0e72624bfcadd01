// A bounded number of sessions, each made when it is first needed and replaced once it is broken.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "base/platform/store/connection.hpp"

namespace svc::store {

// Any thread. It outlives its leases.
class Pool {
  public:
    using Connect = std::function<std::unique_ptr<Connection>()>;
    Pool(int size, std::chrono::milliseconds lease_time, Connect connect);

    // One session for one thread; returned on destruction, rolled back if its transaction is still open, dropped if it
    // is broken.
    class Lease {
      public:
        explicit Lease(Pool& pool) : pool_(&pool), connection_(pool.take()) {}
        ~Lease();
        Lease(const Lease&) = delete;
        Lease& operator=(const Lease&) = delete;

        Connection& operator*() { return *connection_; }
        Connection* operator->() { return connection_.get(); }
        // Replaces a broken session by a new one. Throws Unavailable.
        void renew();

      private:
        Pool* pool_;
        std::unique_ptr<Connection> connection_;
    };

    // A session for a place that has none, if there is one.
    void open_another();

    [[nodiscard]] std::int64_t connects() const { return connects_; }
    [[nodiscard]] std::int64_t refused() const { return refused_; }

  private:
    std::unique_ptr<Connection> take();
    std::unique_ptr<Connection> connect();
    void give_back(std::unique_ptr<Connection> connection);

    const std::chrono::milliseconds lease_time_;
    const Connect connect_;
    std::mutex mutex_;
    std::condition_variable freed_;
    int free_;                                       // places not leased
    std::vector<std::unique_ptr<Connection>> idle_;  // sessions of free places, the last used one last
    std::atomic<std::int64_t> connects_ = 0, refused_ = 0;
};

// Rolls back an open transaction; false when the session is unusable.
bool make_clean(Connection& connection) noexcept;

}  // namespace svc::store
