// A real nginx in front of the server, as a child process with its own directory.
#pragma once

#include <cstdint>
#include <filesystem>
#include <sys/types.h>

namespace svc::http::test {

// Passes everything to `upstream` over kept connections. Its own body limit is far above the application's, the
// configuration in which answers of other servers have reached strangers; under /streamed/ uploads are passed on
// while they come.
class Nginx {
  public:
    explicit Nginx(std::uint16_t upstream);
    ~Nginx();
    Nginx(const Nginx&) = delete;
    Nginx& operator=(const Nginx&) = delete;

    [[nodiscard]] std::uint16_t port() const { return port_; }

  private:
    void write_configuration(std::uint16_t upstream) const;
    void start();
    [[nodiscard]] bool answers() const;

    std::filesystem::path directory_;
    std::uint16_t port_ = 0;
    pid_t child_ = -1;
};

}  // namespace svc::http::test
