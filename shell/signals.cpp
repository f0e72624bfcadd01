// Signals by signalfd, the service manager by its datagram socket, limits by setrlimit.
#include "shell/signals.hpp"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <poll.h>
#include <stdexcept>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

namespace svc::shell {
namespace {

sigset_t stop_signals() {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGTERM);
    sigaddset(&set, SIGINT);
    // nohup means: survive the terminal.
    struct sigaction hangup {};
    sigaction(SIGHUP, nullptr, &hangup);
    if (hangup.sa_handler != SIG_IGN)
        sigaddset(&set, SIGHUP);
    return set;
}

}  // namespace

Signals::Signals() {
    std::signal(SIGPIPE, SIG_IGN);
    const sigset_t set = stop_signals();
    pthread_sigmask(SIG_BLOCK, &set, nullptr);
    descriptor_ = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
    if (descriptor_ < 0)
        throw std::runtime_error("cannot watch for signals");
}

Signals::~Signals() {
    release();
    close(descriptor_);
}

bool Signals::wait(std::chrono::milliseconds time, int other) {
    const auto until = std::chrono::steady_clock::now() + time;
    for (;;) {
        int left = -1;
        if (time != forever) {
            const auto rest =
                std::chrono::ceil<std::chrono::milliseconds>(until - std::chrono::steady_clock::now()).count();
            left = rest > 0 ? static_cast<int>(rest) : 0;
        }
        pollfd watched[] = {{descriptor_, POLLIN, 0}, {other, POLLIN, 0}};
        const int ready = poll(watched, other < 0 ? 1 : 2, left);
        if (ready < 0 && errno == EINTR)
            continue;
        signalfd_siginfo info;
        if (ready > 0 && (watched[0].revents & POLLIN) != 0)
            return read(descriptor_, &info, sizeof info) == static_cast<ssize_t>(sizeof info);
        return false;
    }
}

void Signals::release() {
    const sigset_t set = stop_signals();
    pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
}

void notify_manager(const std::string& message) {
    const char* name = std::getenv("NOTIFY_SOCKET");  // NOLINT(concurrency-mt-unsafe): nobody sets variables
    sockaddr_un address{};
    if (!name || (name[0] != '/' && name[0] != '@') || std::strlen(name) >= sizeof address.sun_path)
        return;
    address.sun_family = AF_UNIX;
    std::strcpy(address.sun_path, name);
    if (name[0] == '@')
        address.sun_path[0] = '\0';
    const auto length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + std::strlen(name));
    const int descriptor = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (descriptor < 0)
        return;
    sendto(descriptor, message.data(), message.size(), MSG_NOSIGNAL, reinterpret_cast<const sockaddr*>(&address),
           length);
    close(descriptor);
}

void raise_descriptor_limit() {
    rlimit limit{};
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur == limit.rlim_max)
        return;
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
}

void leave_no_core() {
    const rlimit none{};
    setrlimit(RLIMIT_CORE, &none);
}

}  // namespace svc::shell
