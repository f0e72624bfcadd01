// A client that sends exactly the bytes it is given and reads whole answers.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace svc::http::test {

struct Answer {
    int status = 0;
    std::map<std::string, std::string> headers;  // names in lower case
    std::string body;
};

// Takes one answer from the front of `bytes`; nothing while it is not whole. `head` says that no body follows.
std::optional<Answer> take_answer(std::string& bytes, bool head = false);

class Client {
  public:
    // Connects to loopback; `receive_buffer` of 0 is the system's. `from`: an address of 127.0.0.0/8.
    explicit Client(std::uint16_t port, int receive_buffer = 0, const char* from = "127.0.0.1");
    ~Client();
    Client(Client&& other) noexcept;
    Client(const Client&) = delete;
    Client& operator=(const Client&) = delete;

    // False once the other side has closed; never raises SIGPIPE.
    bool send(std::string_view bytes);
    void end_sending();
    // The next answer; nothing when the connection ends before it or `patience` is over.
    std::optional<Answer> answer(bool head = false);
    // True when the other side closes; what it sends before is kept for answer().
    bool closed();
    // A whole GET.
    std::optional<Answer> get(const std::string& target);
    void reset();  // closes with RST
    [[nodiscard]] std::size_t pending() const { return bytes_.size(); }

    // How long the slowest machine may take; nothing waits as long unless something is wrong.
    static constexpr std::chrono::seconds patience{20};

  private:
    // False at the end of the connection or of patience.
    bool receive();

    int socket_ = -1;
    bool over_ = false;
    std::string bytes_;
};

}  // namespace svc::http::test
