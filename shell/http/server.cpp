// The server: its parts, and the order in which they stop.
#include "shell/http/server.hpp"

#include <algorithm>
#include <csignal>
#include <mutex>

#include "shell/http/connection.hpp"
#include "shell/http/hub.hpp"
#include "shell/http/listener.hpp"

namespace svc::http {
namespace {

// For Pistache to see that the last sockets are closed, which takes it a turn of its loop.
constexpr std::chrono::seconds closing_time{2};
// For the last accepted connections to reach their I/O thread.
constexpr std::chrono::milliseconds arriving_time{100};

bool same_without_case(std::string_view a, std::string_view b) {
    if (a.size() != b.size())
        return false;
    for (std::size_t i = 0; i < a.size(); ++i) {
        const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c; };
        if (lower(a[i]) != lower(b[i]))
            return false;
    }
    return true;
}

}  // namespace

std::string_view RequestHead::header(std::string_view name) const {
    for (const auto& [field, value] : headers)
        if (same_without_case(field, name))
            return value;
    return {};
}

struct Server::Impl {
    Impl(const Options& options, Application& application)
        : hub(options, application), listener(hub), port(listener.port()) {}

    Hub hub;
    Listener listener;
    const std::uint16_t port;
    std::once_flag stopped;
};

Server::Server(const Options& options, Application& application) {
    std::signal(SIGPIPE, SIG_IGN);
    impl_ = std::make_unique<Impl>(options, application);
}

Server::~Server() { stop(); }

std::uint16_t Server::port() const { return impl_->port; }

Counters Server::counters() const { return impl_->hub.counters.read(); }

void Server::stop_now() { impl_->hub.hurry(); }

void Server::stop() {
    std::call_once(impl_->stopped, [this] {
        using Clock = std::chrono::steady_clock;
        auto& hub = impl_->hub;
        const auto started = Clock::now();
        const auto end = started + hub.options.limits.drain;
        impl_->listener.stop_accepting();
        hub.draining = true;
        hub.wait_until(std::min<Clock::time_point>(end, Clock::now() + arriving_time));
        hub.wait_until_empty(std::min<Clock::time_point>(end, started + hub.options.limits.grace));
        for (const auto& connection : hub.connections())
            connection->close_if_idle();
        hub.wait_until_empty(end);
        for (const auto& connection : hub.last_connections())
            connection->abort();
        hub.pool.stop();
        hub.wait_until_empty(Clock::now() + closing_time, Hub::Heed::nothing);
        impl_->listener.shutdown();
        hub.drain.stop();
    });
}

}  // namespace svc::http
