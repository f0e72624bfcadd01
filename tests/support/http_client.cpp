// The client's sockets and answer reading: Content-Length and close-delimited bodies, all that our server sends.
#include "tests/support/http_client.hpp"

#include <arpa/inet.h>
#include <charconv>
#include <cstring>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

namespace svc::test {
namespace {

bool same_name(std::string_view a, std::string_view b) {
    return a.size() == b.size() && ::strncasecmp(a.data(), b.data(), a.size()) == 0;
}

}  // namespace

std::string HttpReply::header(std::string_view name) const {
    for (const auto& [key, value] : headers)
        if (same_name(key, name))
            return value;
    return {};
}

HttpClient::HttpClient(std::uint16_t port, std::string host) : host_(std::move(host)), port_(port) {}

HttpClient::~HttpClient() { disconnect(); }

void HttpClient::disconnect() {
    // By a reset: the side that closes in the ordinary way keeps its port for a minute, and tests that make thousands
    // of connections would leave none to servers that ask the system for a free one.
    const linger none{.l_onoff = 1, .l_linger = 0};
    if (socket_ >= 0) {
        ::setsockopt(socket_, SOL_SOCKET, SO_LINGER, &none, sizeof none);
        ::close(socket_);
    }
    socket_ = -1;
    buffer_.clear();
}

bool HttpClient::connect() {
    socket_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (socket_ < 0)
        return false;
    const int on = 1;
    ::setsockopt(socket_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port_);
    ::inet_pton(AF_INET, host_.c_str(), &address.sin_addr);
    sockaddr generic{};
    std::memcpy(&generic, &address, sizeof generic);
    if (::connect(socket_, &generic, sizeof address) == 0)
        return true;
    disconnect();
    return false;
}

bool HttpClient::send_all(std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t sent = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
        if (sent <= 0)
            return false;
        bytes.remove_prefix(static_cast<std::size_t>(sent));
    }
    return true;
}

bool HttpClient::fill() {
    char chunk[16 * 1024];
    const ssize_t got = ::recv(socket_, chunk, sizeof chunk, 0);
    if (got <= 0)
        return false;
    buffer_.append(chunk, static_cast<std::size_t>(got));
    return true;
}

std::optional<HttpReply> HttpClient::receive(bool head) {
    std::size_t end = 0;
    while ((end = buffer_.find("\r\n\r\n")) == std::string::npos)
        if (!fill())
            return std::nullopt;
    HttpReply reply;
    std::size_t length = 0;
    bool has_length = false, closes = false;
    std::string_view lines{buffer_.data(), end};
    std::from_chars(lines.data() + 9, lines.data() + 12, reply.status);
    for (std::size_t at = lines.find("\r\n"); at != std::string_view::npos;) {
        const std::size_t next = lines.find("\r\n", at + 2);
        const std::string_view line = lines.substr(at + 2, next == std::string_view::npos ? next : next - at - 2);
        at = next;
        const std::size_t colon = line.find(':');
        if (colon == std::string_view::npos)
            continue;
        std::string_view value = line.substr(colon + 1);
        while (!value.empty() && value.front() == ' ')
            value.remove_prefix(1);
        if (same_name(line.substr(0, colon), "Content-Length")) {
            has_length = true;
            std::from_chars(value.data(), value.data() + value.size(), length);
        }
        if (same_name(line.substr(0, colon), "Connection"))
            closes = same_name(value, "close");
        reply.headers.emplace_back(line.substr(0, colon), value);
    }
    buffer_.erase(0, end + 4);
    if (head || reply.status == 204 || reply.status == 304)
        length = 0;
    else if (!has_length)
        while (fill()) {
        }
    while (has_length && buffer_.size() < length)
        if (!fill())
            return std::nullopt;
    if (!has_length && !head)
        length = buffer_.size();
    reply.body = buffer_.substr(0, length);
    buffer_.erase(0, length);
    if (closes)
        disconnect();
    return reply;
}

HttpReply HttpClient::call(std::string_view method, std::string_view target, std::string_view body,
                           std::string_view headers) {
    std::string request;
    request.reserve(256 + headers.size() + body.size());
    request.append(method).append(" ").append(target).append(" HTTP/1.1\r\nHost: localhost\r\n").append(headers);
    if (!body.empty()) {
        if (headers.find("Content-Type") == std::string_view::npos)
            request.append("Content-Type: application/json\r\n");
        request.append("Content-Length: ").append(std::to_string(body.size())).append("\r\n");
    } else if (method != "GET" && method != "HEAD") {
        request.append("Content-Length: 0\r\n");
    }
    request.append("\r\n").append(body);

    const bool fresh = socket_ < 0;
    if (fresh && !connect())
        return {};
    if (send_all(request))
        if (auto reply = receive(method == "HEAD"))
            return std::move(*reply);
    disconnect();
    // A kept connection may have been closed while idle; a write that may have arrived is never sent again.
    if (!fresh && (method == "GET" || method == "HEAD") && connect() && send_all(request))
        if (auto reply = receive(method == "HEAD"))
            return std::move(*reply);
    return {};
}

}  // namespace svc::test
