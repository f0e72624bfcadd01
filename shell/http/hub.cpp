// Admission, the list of connections, and the regular check of their deadlines.
#include "shell/http/hub.hpp"

#include <algorithm>
#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>
#include <utility>

#include "shell/http/connection.hpp"

namespace svc::http {
namespace {

// A connection takes two descriptors: the transport's and the writer's.
std::size_t connections_by_descriptors() {
    rlimit limit{};
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
        return 10'000;
    return std::max<std::size_t>(1, static_cast<std::size_t>(limit.rlim_cur) * 8 / 10 / 2);
}

// A quarter of the shortest deadline, so that none is overrun by more.
std::chrono::milliseconds look_interval(const Limits& limits) {
    using std::chrono::milliseconds;
    const auto shortest =
        std::min({limits.head_time, limits.body_time, limits.idle_time, limits.write_time, limits.linger_time});
    return std::clamp(shortest / 4, milliseconds{5}, milliseconds{250});
}

}  // namespace

Hub::Hub(const Options& given, Application& served)
    : most_connections_(given.limits.connections != 0 ? given.limits.connections : connections_by_descriptors()),
      options(given),
      application(served),
      bytes(given.limits.bytes),
      upload_bytes(given.limits.upload_bytes),
      pool({given.workers, given.longest_wait, given.longest_checkout_wait}),
      drain(look_interval(given.limits), [this](std::chrono::steady_clock::time_point now) {
          try {
              for (const auto& connection : connections())
                  connection->look(now);
          } catch (...) {
              // Out of memory: the deadlines that are left wait for the next look.
          }
      }) {}

Hub::~Hub() {
    drain.stop();
    pool.stop();
}

std::shared_ptr<Connection> Hub::admit(Source& source, int socket, std::string peer) {
    LiveCounters::add(counters.connections_total);
    // Also while draining: connections accepted before are still served, until the rest is ended.
    const auto has_room = [this](const std::string& of) {
        if (closed_ || connections_.size() >= most_connections_)
            return false;
        const auto found = options.limits.per_address != 0 ? per_address_.find(of) : per_address_.end();
        return found == per_address_.end() || found->second < options.limits.per_address;
    };
    std::uint64_t id = 0;
    {
        const std::lock_guard lock(mutex_);
        if (!has_room(peer))
            return nullptr;
        id = ++last_id_;
    }
    const int own = fcntl(socket, F_DUPFD_CLOEXEC, 0);
    if (own < 0)
        return nullptr;
    // Not under the mutex, which its end would take if there were no memory to list it.
    auto connection = std::make_shared<Connection>(*this, id, source, socket, own, std::move(peer));
    const std::lock_guard lock(mutex_);
    if (!has_room(connection->peer()))
        return nullptr;  // another I/O thread took the last place meanwhile
    connections_.emplace(connection->id(), connection);
    if (options.limits.per_address != 0)
        ++per_address_[connection->peer()];
    LiveCounters::add(counters.connections_open);
    return connection;
}

void Hub::forget(const Connection& connection) {
    const std::lock_guard lock(mutex_);
    if (connections_.erase(connection.id()) == 0)
        return;
    if (const auto found = per_address_.find(connection.peer()); found != per_address_.end() && --found->second == 0)
        per_address_.erase(found);
    LiveCounters::remove(counters.connections_open);
    if (draining)
        changed_.notify_all();
}

std::vector<std::shared_ptr<Connection>> Hub::connections() {
    std::vector<std::shared_ptr<Connection>> found;
    const std::lock_guard lock(mutex_);
    found.reserve(connections_.size());
    for (const auto& [id, weak] : connections_)
        if (auto connection = weak.lock())
            found.push_back(std::move(connection));
    return found;
}

std::vector<std::shared_ptr<Connection>> Hub::last_connections() {
    {
        const std::lock_guard lock(mutex_);
        closed_ = true;
    }
    return connections();
}

void Hub::wait_until(std::chrono::steady_clock::time_point moment) {
    std::unique_lock lock(mutex_);
    changed_.wait_until(lock, moment, [&] { return hurried_; });
}

void Hub::wait_until_empty(std::chrono::steady_clock::time_point deadline, Heed heed) {
    std::unique_lock lock(mutex_);
    changed_.wait_until(lock, deadline, [&] { return connections_.empty() || (hurried_ && heed == Heed::hurry); });
}

void Hub::hurry() {
    const std::lock_guard lock(mutex_);
    hurried_ = true;
    changed_.notify_all();
}

}  // namespace svc::http
