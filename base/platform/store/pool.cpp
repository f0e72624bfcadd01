// Leases sessions.
#include "base/platform/store/pool.hpp"

#include "shared/core/no_wait.hpp"

namespace svc::store {

Pool::Pool(int size, std::chrono::milliseconds lease_time, Connect connect)
    : lease_time_(lease_time), connect_(std::move(connect)), free_(size) {
    idle_.reserve(static_cast<std::size_t>(size));  // a lease that ends takes no memory
}

std::unique_ptr<Connection> Pool::take() {
    std::unique_lock lock(mutex_);
    if (idle_.empty())
        NoWait::refuse();
    if (!freed_.wait_for(lock, lease_time_, [&] { return free_ > 0; })) {
        ++refused_;
        throw Unavailable("No database session was free in time.");
    }
    --free_;
    if (!idle_.empty()) {
        auto connection = std::move(idle_.back());
        idle_.pop_back();
        return connection;
    }
    lock.unlock();
    try {
        return connect();
    } catch (...) {
        give_back(nullptr);
        throw;
    }
}

void Pool::open_another() {
    {
        const std::lock_guard lock(mutex_);
        if (free_ <= static_cast<int>(idle_.size()))
            return;
        --free_;
    }
    std::unique_ptr<Connection> fresh;
    try {
        fresh = connect();
    } catch (...) {
        give_back(nullptr);
        throw;
    }
    const std::lock_guard lock(mutex_);
    ++free_;
    idle_.insert(idle_.begin(), std::move(fresh));  // others have their statements ready
    freed_.notify_one();
}

std::unique_ptr<Connection> Pool::connect() {
    auto connection = connect_();
    ++connects_;
    return connection;
}

void Pool::give_back(std::unique_ptr<Connection> connection) {
    {
        const std::lock_guard lock(mutex_);
        ++free_;
        if (connection)
            idle_.push_back(std::move(connection));
    }
    freed_.notify_one();
}

Pool::Lease::~Lease() {
    if (connection_ && !make_clean(*connection_))
        connection_.reset();
    pool_->give_back(std::move(connection_));
}

void Pool::Lease::renew() {
    connection_.reset();
    connection_ = pool_->connect();
}

bool make_clean(Connection& connection) noexcept {
    try {
        if (!connection.broken() && connection.in_transaction())
            connection.rollback();
        return !connection.broken() && !connection.in_transaction();
    } catch (const std::exception&) {
        return false;
    }
}

}  // namespace svc::store
