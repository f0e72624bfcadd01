// The drain's epoll loop.
#include "shell/http/drain.hpp"

#include <array>
#include <cerrno>
#include <cstddef>
#include <stdexcept>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>
#include <utility>

#include "shell/http/connection.hpp"

namespace svc::http {
namespace {

constexpr std::uint64_t wake_id = 0;  // connections count from one

epoll_event writable(std::uint64_t id) {
    epoll_event event{};
    event.events = EPOLLOUT | EPOLLONESHOT;
    event.data.u64 = id;
    return event;
}

}  // namespace

Drain::Drain(std::chrono::milliseconds interval, std::function<void(std::chrono::steady_clock::time_point)> look)
    : interval_(interval),
      look_(std::move(look)),
      epoll_(epoll_create1(EPOLL_CLOEXEC)),
      wake_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
    epoll_event event{};
    event.events = EPOLLIN;
    event.data.u64 = wake_id;
    if (epoll_ < 0 || wake_ < 0 || epoll_ctl(epoll_, EPOLL_CTL_ADD, wake_, &event) != 0)
        throw std::runtime_error("could not create the descriptors of the drain thread");
    thread_ = std::thread([this] { run(); });
}

Drain::~Drain() {
    stop();
    ::close(epoll_);
    ::close(wake_);
}

bool Drain::watch(const std::shared_ptr<Connection>& connection) {
    auto event = writable(connection->id());
    const std::lock_guard lock(mutex_);
    if (stopped_ || epoll_ctl(epoll_, EPOLL_CTL_ADD, connection->socket(), &event) != 0)
        return false;
    watched_.emplace(connection->id(), connection);
    return true;
}

void Drain::run() {
    auto next_look = std::chrono::steady_clock::now() + interval_;
    std::array<epoll_event, 64> events;
    while (!stopped_) {
        const auto left = std::chrono::ceil<std::chrono::milliseconds>(next_look - std::chrono::steady_clock::now());
        const int count = epoll_wait(epoll_, events.data(), static_cast<int>(events.size()),
                                     left.count() > 0 ? static_cast<int>(left.count()) : 0);
        for (int i = 0; i < count; ++i) {
            const auto id = events[static_cast<std::size_t>(i)].data.u64;
            std::shared_ptr<Connection> connection;
            {
                const std::lock_guard lock(mutex_);
                const auto found = watched_.find(id);
                if (found == watched_.end())
                    continue;
                connection = found->second;
            }
            try {
                connection->resume([&](bool more) { return keep(*connection, more); });
            } catch (...) {
                connection->abort();  // out of memory
            }
        }
        if (const auto now = std::chrono::steady_clock::now(); now >= next_look) {
            look_(now);
            next_look = now + interval_;
        }
    }
}

bool Drain::keep(const Connection& connection, bool more) {
    const std::lock_guard lock(mutex_);
    auto event = writable(connection.id());
    if (more && epoll_ctl(epoll_, EPOLL_CTL_MOD, connection.socket(), &event) == 0)
        return true;
    // Removed explicitly: the transport's own descriptor keeps the open file alive after ours.
    epoll_ctl(epoll_, EPOLL_CTL_DEL, connection.socket(), nullptr);
    watched_.erase(connection.id());
    return false;
}

void Drain::stop() {
    if (!stopped_.exchange(true)) {
        const std::uint64_t one = 1;
        // An eventfd at its limit is readable as well, so a failed write changes nothing.
        [[maybe_unused]] const auto written = ::write(wake_, &one, sizeof one);
    }
    if (thread_.joinable())
        thread_.join();
    std::unordered_map<std::uint64_t, std::shared_ptr<Connection>> forgotten;
    const std::lock_guard lock(mutex_);
    forgotten.swap(watched_);
}

}  // namespace svc::http
