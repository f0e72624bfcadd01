// Sockets of the test client.
#include "tests/shell/http/client.hpp"

#include <algorithm>
#include <arpa/inet.h>
#include <array>
#include <cctype>
#include <cerrno>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdexcept>
#include <sys/socket.h>
#include <unistd.h>
#include <utility>

namespace svc::http::test {

std::optional<Answer> take_answer(std::string& bytes, bool head) {
    const auto end = bytes.find("\r\n\r\n");
    if (end == std::string::npos)
        return std::nullopt;
    Answer answer;
    answer.status = std::stoi(bytes.substr(9, 3));
    for (auto at = bytes.find("\r\n") + 2; at < end + 2;) {
        const auto line_end = bytes.find("\r\n", at);
        const auto colon = bytes.find(": ", at);
        auto name = bytes.substr(at, colon - at);
        std::transform(name.begin(), name.end(), name.begin(),
                       [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
        answer.headers[name] = bytes.substr(colon + 2, line_end - colon - 2);
        at = line_end + 2;
    }
    std::size_t size = 0;
    if (!head && answer.headers.contains("content-length"))
        size = std::stoul(answer.headers["content-length"]);
    if (bytes.size() < end + 4 + size)
        return std::nullopt;
    answer.body = bytes.substr(end + 4, size);
    bytes.erase(0, end + 4 + size);
    return answer;
}

Client::Client(std::uint16_t port, int receive_buffer, const char* from)
    : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    if (receive_buffer != 0)
        setsockopt(socket_, SOL_SOCKET, SO_RCVBUF, &receive_buffer, sizeof receive_buffer);
    const int one = 1;
    setsockopt(socket_, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    sockaddr_in address{}, own{};
    address.sin_family = own.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    ::inet_pton(AF_INET, from, &own.sin_addr);
    // The port is chosen when it connects: one that is bound before may be nobody else's.
    setsockopt(socket_, IPPROTO_IP, IP_BIND_ADDRESS_NO_PORT, &one, sizeof one);
    if (::bind(socket_, reinterpret_cast<const sockaddr*>(&own), sizeof own) != 0 ||
        ::connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
        ::close(socket_);
        throw std::runtime_error("could not connect");
    }
}

Client::Client(Client&& other) noexcept
    : socket_(std::exchange(other.socket_, -1)), over_(other.over_), bytes_(std::move(other.bytes_)) {}

Client::~Client() {
    if (socket_ >= 0)
        ::close(socket_);
}

bool Client::send(std::string_view bytes) {
    while (!bytes.empty()) {
        const auto sent = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR)
            continue;
        if (sent < 0)
            return false;
        bytes.remove_prefix(static_cast<std::size_t>(sent));
    }
    return true;
}

void Client::end_sending() { ::shutdown(socket_, SHUT_WR); }

void Client::reset() {
    const linger now{1, 0};
    setsockopt(socket_, SOL_SOCKET, SO_LINGER, &now, sizeof now);
    ::close(std::exchange(socket_, -1));
}

bool Client::receive() {
    if (over_)
        return false;
    pollfd waiting{socket_, POLLIN, 0};
    if (::poll(&waiting, 1, static_cast<int>(std::chrono::milliseconds(patience).count())) <= 0)
        return false;
    std::array<char, 65536> buffer;
    const auto size = ::recv(socket_, buffer.data(), buffer.size(), 0);
    if (size <= 0) {
        over_ = true;
        return false;
    }
    bytes_.append(buffer.data(), static_cast<std::size_t>(size));
    return true;
}

std::optional<Answer> Client::answer(bool head) {
    for (;;) {
        if (auto answer = take_answer(bytes_, head))
            return answer;
        if (!receive())
            return std::nullopt;
    }
}

bool Client::closed() {
    while (receive()) {
    }
    return over_;
}

std::optional<Answer> Client::get(const std::string& target) {
    send("GET " + target + " HTTP/1.1\r\nHost: localhost\r\n\r\n");
    return answer();
}

}  // namespace svc::http::test
