// A blocking HTTP/1.1 client over one kept connection: what tests and the bench speak to a running server with.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace svc::test {

struct HttpReply {
    int status = 0;  // 0: no complete answer came
    std::vector<std::pair<std::string, std::string>> headers;
    std::string body;
    [[nodiscard]] std::string header(std::string_view name) const;
};

// One thread's. Reconnects when the server has closed between requests.
class HttpClient {
  public:
    explicit HttpClient(std::uint16_t port, std::string host = "127.0.0.1");
    ~HttpClient();
    HttpClient(const HttpClient&) = delete;
    HttpClient& operator=(const HttpClient&) = delete;

    // `headers` is raw text, each line ended by CRLF.
    HttpReply call(std::string_view method, std::string_view target, std::string_view body = {},
                   std::string_view headers = {});
    void disconnect();

  private:
    bool connect();
    bool send_all(std::string_view bytes);
    std::optional<HttpReply> receive(bool head);
    bool fill();

    std::string host_;
    std::uint16_t port_;
    int socket_ = -1;
    std::string buffer_;
};

}  // namespace svc::test
