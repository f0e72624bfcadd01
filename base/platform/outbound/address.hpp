// Recognizes addresses in the public Internet; all others are refused after resolution (promise S9).
#pragma once

#include <string>
#include <string_view>
#include <vector>

struct sockaddr;

namespace svc::outbound {

// False for every address that is private, local, shared, reserved, for documentation, multicast or a wrapping of an
// IPv4 address (mapped, NAT64, 6to4, Teredo), and for every family but IPv4 and IPv6.
bool is_global(const sockaddr* address);
// The same for a numeric text, as in "::1".
bool is_global(const std::string& numeric);

// Allowed internal targets on any port, each "host:port" or "[v6]:port" as in the address.
class Allowed {
  public:
    Allowed() = default;
    // An entry without a port throws std::runtime_error with a sentence for the operator.
    explicit Allowed(const std::vector<std::string>& targets);
    [[nodiscard]] bool has(std::string_view host, int port) const;

  private:
    std::vector<std::string> targets_;
};

}  // namespace svc::outbound
