// A server on a loopback port that does with each connection what the test says, wrong things included.
#pragma once

#include <arpa/inet.h>
#include <atomic>
#include <functional>
#include <mutex>
#include <netinet/in.h>
#include <poll.h>
#include <stdexcept>
#include <string>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace svc::tests {

class TinyServer {
  public:
    // One end of a connection, for the talk.
    class Line {
      public:
        explicit Line(int fd, const std::atomic<bool>& over) : fd_(fd), over_(over) {}
        // The bytes up to the end of a request's header; empty when the other side is gone.
        std::string head() {
            std::string text;
            char buffer[4096];
            while (text.find("\r\n\r\n") == std::string::npos) {
                pollfd one{fd_, POLLIN | POLLRDHUP, 0};
                while (!over_ && poll(&one, 1, 20) == 0) {
                }
                const auto got = over_ ? 0 : recv(fd_, buffer, sizeof buffer, 0);
                if (got <= 0)
                    return {};
                text.append(buffer, static_cast<std::size_t>(got));
            }
            return text;
        }
        // The same with the body that Content-Length announces.
        std::string whole() {
            std::string text = head();
            const auto end = text.find("\r\n\r\n");
            const auto said = text.find("Content-Length: ");
            const std::size_t body = said < end ? std::stoul(text.substr(said + 16)) : 0;
            char buffer[4096];
            while (end != std::string::npos && text.size() < end + 4 + body) {
                const auto got = over_ ? 0 : recv(fd_, buffer, sizeof buffer, 0);
                if (got <= 0)
                    return {};
                text.append(buffer, static_cast<std::size_t>(got));
            }
            return text;
        }
        // False when the other side has closed or the test is over.
        bool say(const std::string& text) {
            return !over_ && send(fd_, text.data(), text.size(), MSG_NOSIGNAL) == static_cast<ssize_t>(text.size());
        }
        // Waits until the other side closes, the test is over or the time has passed; false unless it has passed.
        bool rest(int milliseconds) {
            for (; milliseconds > 0 && !over_; milliseconds -= 20) {
                pollfd one{fd_, POLLRDHUP, 0};
                if (poll(&one, 1, 20) > 0)
                    return false;
            }
            return !over_;
        }

      private:
        int fd_;
        const std::atomic<bool>& over_;
    };
    using Talk = std::function<void(Line& line)>;

    explicit TinyServer(Talk talk) : talk_(std::move(talk)), fd_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        socklen_t size = sizeof address;
        auto* generic = reinterpret_cast<sockaddr*>(&address);
        if (bind(fd_, generic, size) != 0 || listen(fd_, 16) != 0 || getsockname(fd_, generic, &size) != 0)
            throw std::runtime_error("no port on loopback");
        port_ = ntohs(address.sin_port);
        thread_ = std::thread([this] { serve(); });
    }
    ~TinyServer() {
        over_ = true;
        shutdown(fd_, SHUT_RDWR);
        thread_.join();
        close(fd_);
        for (auto& one : talks_)
            one.join();
    }
    TinyServer(const TinyServer&) = delete;
    TinyServer& operator=(const TinyServer&) = delete;

    [[nodiscard]] int port() const { return port_; }
    [[nodiscard]] int connections() const { return connections_; }
    [[nodiscard]] std::string target() const { return "127.0.0.1:" + std::to_string(port_); }
    [[nodiscard]] std::string url(const std::string& path = "/") const { return "http://" + target() + path; }

  private:
    void serve() {
        for (;;) {
            const int peer = accept4(fd_, nullptr, nullptr, SOCK_CLOEXEC);
            if (peer < 0)
                return;
            ++connections_;
            talks_.emplace_back([this, peer] {
                Line line(peer, over_);
                talk_(line);
                shutdown(peer, SHUT_RDWR);
                close(peer);
            });
        }
    }

    Talk talk_;
    int fd_, port_ = 0;
    std::atomic<bool> over_ = false;
    std::atomic<int> connections_ = 0;
    std::thread thread_;
    std::vector<std::thread> talks_;
};

}  // namespace svc::tests
