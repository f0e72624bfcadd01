// The only file that sees Pistache.
#include "shell/http/listener.hpp"

#include <algorithm>
#include <arpa/inet.h>
#include <array>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstddef>
#include <fcntl.h>
#include <filesystem>
#include <linux/filter.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdexcept>
#include <string>
#include <string_view>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>
#include <utility>
#include <vector>

#include <pistache/listener.h>
#include <pistache/peer.h>
#include <pistache/tcp.h>
#include <pistache/transport.h>

#include "shell/http/barrier.hpp"
#include "shell/http/connection.hpp"
#include "shell/http/hub.hpp"
#include "shell/http/memory.hpp"
#include "shell/http/writer.hpp"

namespace svc::http {
namespace {

constexpr std::size_t read_at_once = std::size_t{16} * 1024;
constexpr int backlog = 4096;  // the kernel cuts it to net.core.somaxconn

// The kernel's send buffer per connection, half of what it counts: by default it grows to 4 MiB, and a thousand clients
// that never read would use all its memory for sockets.
constexpr int most_unsent = 256 * 1024;

// After closing the door: for the last handshakes to end, and for their connections to be accepted.
constexpr std::chrono::milliseconds handshake_time{10}, accepting_time{500};

// Pistache's thread takes new connections from a queue until it is empty, and then clears the queue's event: one that
// arrives between the last read and the clearing is missed until the next arrives at the same thread. So the thread
// reads again; connections arriving after this read find their event uncleared. Why this way: the queue is private,
// and an explicit instantiation may name private members.
void look_again(Pistache::Tcp::Transport& transport);

template <class Queue>
void come_back_to(Queue& queue) {
    if (!queue.empty())
        eventfd_write(static_cast<int>(queue.tag().value()), 1);
}

template <auto queue>
struct LookAgain {
    friend void look_again(Pistache::Tcp::Transport& transport) { come_back_to(transport.*queue); }
};
template struct LookAgain<&Pistache::Tcp::Transport::peersQueue>;

// The same for the acceptor's poller, which must learn of a socket that takes the place of the one it was given, and
// forget it at the stop: the manager's copy keeps that socket open, so the kernel would go on reporting it.
int accept_from(Pistache::Tcp::Listener& listener, int socket);
void accept_no_more(Pistache::Tcp::Listener& listener);

// The inherited number is closed, so that no child inherits it.
void put_in_place(Pistache::Polling::Epoll& poller, int place, int socket) {
    if (dup3(socket, place, O_CLOEXEC) < 0)
        throw std::runtime_error("the inherited socket cannot be taken");
    ::close(socket);
    poller.addFd(place, Pistache::Flags<Pistache::Polling::NotifyOn>(Pistache::Polling::NotifyOn::Read),
                 Pistache::Polling::Tag(static_cast<std::uint64_t>(place)));
}

template <auto poller, auto own_socket>
struct AcceptFrom {
    friend int accept_from(Pistache::Tcp::Listener& listener, int socket) {
        put_in_place(listener.*poller, listener.*own_socket, socket);
        return listener.*own_socket;
    }
    friend void accept_no_more(Pistache::Tcp::Listener& listener) { (listener.*poller).removeFd(listener.*own_socket); }
};
template struct AcceptFrom<&Pistache::Tcp::Listener::poller, &Pistache::Tcp::Listener::listen_fd>;

class Transport final : public Pistache::Tcp::Transport {
  public:
    explicit Transport(std::shared_ptr<Pistache::Tcp::Handler> handler)
        : Pistache::Tcp::Transport(handler), handler_(std::move(handler)) {}

    std::shared_ptr<Pistache::Aio::Handler> clone() const override {
        return std::make_shared<Transport>(std::static_pointer_cast<Pistache::Tcp::Handler>(handler_->clone()));
    }
    void onReady(const Pistache::Aio::FdSet& events) override;

  private:
    std::shared_ptr<Pistache::Tcp::Handler> handler_;
};

// One per I/O thread: Pistache clones it, and a descriptor always belongs to the same thread. Why: Tcp::Handler on a
// Tcp::Listener, and not Http::Handler on an Http::Endpoint. The endpoint adds to the same listener and read loop a
// backlog fixed at 128, a parser of its own for each connection, and a sweep that drops connections without notifying
// the handler.
class Carrier final : public Pistache::Tcp::Handler, public Source {
  public:
    explicit Carrier(Hub& hub) : hub_(hub) {}

    std::shared_ptr<Pistache::Tcp::Handler> clone() const override { return std::make_shared<Carrier>(hub_); }

    void onConnection(const std::shared_ptr<Pistache::Tcp::Peer>& peer) override {
        const int socket = peer->fd();
        const auto place = static_cast<std::size_t>(socket);
        std::shared_ptr<Connection> connection;
        try {
            const MayFail here;
            if (by_socket_.size() <= place)
                by_socket_.resize(place + 1);
            connection = hub_.admit(*this, socket, peer->address().host());
        } catch (...) {
            // Out of memory: refused like any connection too many.
        }
        if (connection)
            by_socket_[place] = std::move(connection);
        else
            turn_away(socket);
    }

    void onInput(const char* buffer, size_t size, const std::shared_ptr<Pistache::Tcp::Peer>& peer) override {
        if (const auto* connection = connection_of(peer->fd()))
            take(**connection, {buffer, size});
    }

    // Reads until nothing is left or the connection is paused. False: the client has ended, or this is no client's
    // socket, which Pistache sees to.
    bool read(int socket) {
        const auto* connection = connection_of(socket);
        if (!connection)
            return false;
        [[gnu::uninitialized]] std::array<char, read_at_once> bytes;  // to fill it costs more than a short request
        while (!(*connection)->is_paused()) {
            const auto count = ::recv(socket, bytes.data(), bytes.size(), MSG_DONTWAIT);
            if (count > 0)
                take(**connection, {bytes.data(), static_cast<std::size_t>(count)});
            else if (count == 0 || errno != EINTR)
                return count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK);
        }
        return true;
    }

    void read_on(int socket) noexcept override {
        using Pistache::Polling::NotifyOn;
        try {
            transport()->reactor()->modifyFd(transport()->key(), socket, NotifyOn::Read | NotifyOn::Shutdown,
                                             Pistache::Polling::Mode::Edge);
        } catch (...) {
            // It was closed meanwhile.
        }
    }

    void onDisconnection(const std::shared_ptr<Pistache::Tcp::Peer>& peer) override {
        const auto place = static_cast<std::size_t>(peer->fd());
        if (place >= by_socket_.size() || !by_socket_[place])
            return;
        // Taken out first: the number is free for the next connection once this returns.
        const auto connection = std::exchange(by_socket_[place], nullptr);
        connection->input_ended();
    }

  private:
    [[nodiscard]] const std::shared_ptr<Connection>* connection_of(int socket) const {
        const auto place = static_cast<std::size_t>(socket);
        return place < by_socket_.size() && by_socket_[place] ? &by_socket_[place] : nullptr;
    }

    static void take(Connection& connection, std::string_view bytes) {
        try {
            const MayFail here;
            connection.input(bytes);
        } catch (...) {
            // Out of memory in the middle of a message: the data read may be incomplete (R12).
            connection.abort();
        }
    }

    // A connection too many: a 503 if the socket takes it at once, then closed.
    void turn_away(int socket) noexcept {
        hub_.counters.refused(503);
        try {
            const MayFail here;
            const auto response = overload_of(hub_.application);
            std::string text;
            if (append_head(text, response, Persist::close)) {
                if (response.body)
                    text.append(*response.body);
                [[maybe_unused]] const auto sent =
                    ::send(socket, text.data(), text.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
            }
        } catch (...) {
            // Closing is enough of an answer.
        }
        ::shutdown(socket, SHUT_RDWR);
    }

    Hub& hub_;
    std::vector<std::shared_ptr<Connection>> by_socket_;
};

// Clients are read here: Pistache's own loop cannot stop before a socket is empty, and reads 4 KiB at a time.
void Transport::onReady(const Pistache::Aio::FdSet& events) {
    std::vector<Pistache::Polling::Event> rest;
    auto& carrier = static_cast<Carrier&>(*handler_);
    for (const auto& entry : const_cast<Pistache::Aio::FdSet&>(events)) {  // its begin() const does not compile
        if (entry.isReadable() && carrier.read(static_cast<int>(entry.getTag().value())))
            continue;
        auto& event = rest.emplace_back(entry.getTag());
        for (const auto& [is_set, flag] : {std::pair{entry.isReadable(), Pistache::Polling::NotifyOn::Read},
                                           std::pair{entry.isWritable(), Pistache::Polling::NotifyOn::Write},
                                           std::pair{entry.isHangup(), Pistache::Polling::NotifyOn::Hangup}})
            if (is_set)
                event.flags.setFlag(flag);
    }
    if (!rest.empty())
        Pistache::Tcp::Transport::onReady(Pistache::Aio::FdSet(std::move(rest)));
    look_again(*this);
}

// Pistache hides its listening descriptor, so it is found among the open ones.
int listening_descriptor(std::uint16_t port) {
    for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) {
        const auto name = entry.path().filename().string();
        int descriptor = -1;
        std::from_chars(name.data(), name.data() + name.size(), descriptor);
        int listening = 0;
        socklen_t size = sizeof listening;
        if (getsockopt(descriptor, SOL_SOCKET, SO_ACCEPTCONN, &listening, &size) != 0 || listening == 0)
            continue;
        sockaddr_in6 address{};
        size = sizeof address;
        if (getsockname(descriptor, reinterpret_cast<sockaddr*>(&address), &size) != 0)
            continue;
        // The port is at the same place for both families.
        if ((address.sin6_family == AF_INET || address.sin6_family == AF_INET6) && ntohs(address.sin6_port) == port)
            return descriptor;
    }
    return -1;
}

Pistache::Address address_of(const Options& options) {
    const bool v6 = options.address.find(':') != std::string::npos && options.address.front() != '[';
    return {v6 ? "[" + options.address + "]" : options.address, Pistache::Port(options.port)};
}

// The kernel resets queued connections when the listening socket closes, and one may have sent a request already. So
// new ones are kept out until the queue is empty: a filter drops each segment that opens a connection; its sender
// repeats it a second later and is rejected then, before it has sent anything.
void let_the_queue_run_empty(int descriptor) {
    constexpr unsigned flags_byte = 13, syn = 0x02, all = 0xffffffff;  // the filter begins at the TCP header
    std::array<sock_filter, 4> code{{{BPF_LD | BPF_B | BPF_ABS, 0, 0, flags_byte},
                                     {BPF_JMP | BPF_JSET | BPF_K, 0, 1, syn},
                                     {BPF_RET | BPF_K, 0, 0, 0},
                                     {BPF_RET | BPF_K, 0, 0, all}}};
    const sock_fprog program{code.size(), code.data()};
    if (setsockopt(descriptor, SOL_SOCKET, SO_ATTACH_FILTER, &program, sizeof program) != 0)
        return;
    const auto end = std::chrono::steady_clock::now() + accepting_time;
    std::this_thread::sleep_for(handshake_time);
    while (std::chrono::steady_clock::now() < end) {
        tcp_info info{};
        socklen_t size = sizeof info;
        // Of a listening socket: how many wait for the accept.
        if (getsockopt(descriptor, IPPROTO_TCP, TCP_INFO, &info, &size) != 0 || info.tcpi_unacked == 0)
            return;
        std::this_thread::sleep_for(std::chrono::milliseconds{1});
    }
}

// As Pistache prepares its own.
void prepare_inherited(int socket) {
    int listening = 0, on = 1;
    socklen_t size = sizeof listening;
    if (getsockopt(socket, SOL_SOCKET, SO_ACCEPTCONN, &listening, &size) != 0 || listening == 0)
        throw std::runtime_error("the socket that the process was started with does not listen");
    setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    fcntl(socket, F_SETFL, fcntl(socket, F_GETFL) | O_NONBLOCK);
}

}  // namespace

struct Listener::Impl {
    Pistache::Tcp::Listener listener;
    int descriptor = -1;
    bool is_inherited = false;
};

Listener::Listener(Hub& hub) : impl_(std::make_unique<Impl>()) {
    using Pistache::Tcp::Options;
    auto& listener = impl_->listener;
    try {
        const auto flags = Options::ReuseAddr | Options::NoDelay | Options::CloseOnExec;
        listener.init(std::max(1U, hub.options.io_threads), Pistache::Flags<Options>(flags), "http", backlog);
        const auto carrier = std::make_shared<Carrier>(hub);
        listener.setHandler(carrier);
        listener.setTransportFactory([carrier] { return std::make_shared<Transport>(carrier); });
        if (const int inherited = hub.options.inherited_socket; inherited >= 0) {
            // Pistache listens on nothing but a socket of its own: it makes one, whose place the inherited one takes.
            listener.bind({"127.0.0.1", Pistache::Port(0)});
            prepare_inherited(inherited);
            impl_->descriptor = accept_from(listener, inherited);
            impl_->is_inherited = true;
        } else {
            listener.bind(address_of(hub.options));
        }
        listener.runThreaded();
    } catch (const std::exception& error) {
        throw std::runtime_error("could not listen on " + hub.options.address + " port " +
                                 std::to_string(hub.options.port) + ": " + error.what());
    }
    if (impl_->descriptor < 0)
        impl_->descriptor = listening_descriptor(port());
    if (impl_->descriptor < 0)
        throw std::runtime_error("could not find the listening socket");
    // Those that are accepted begin with it. Refused: as the kernel has it.
    static_cast<void>(setsockopt(impl_->descriptor, SOL_SOCKET, SO_SNDBUF, &most_unsent, sizeof most_unsent));
}

Listener::~Listener() = default;

std::uint16_t Listener::port() const { return static_cast<std::uint16_t>(impl_->listener.getPort()); }

// A socket that was never bound takes the number of the listening one: the kernel closes that, and Pistache's acceptor
// sleeps on. An accept that was already on its way gets EINVAL, which it survives.
void Listener::stop_accepting() {
    const int descriptor = std::exchange(impl_->descriptor, -1);
    if (descriptor < 0)
        return;
    const int unbound = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (unbound < 0)
        return;
    // Connections in the queue of an inherited socket wait for the next server.
    if (impl_->is_inherited)
        accept_no_more(impl_->listener);
    else
        let_the_queue_run_empty(descriptor);
    dup3(unbound, descriptor, O_CLOEXEC);
    ::close(unbound);
}

void Listener::shutdown() { impl_->listener.shutdown(); }

}  // namespace svc::http
