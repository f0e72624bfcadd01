// The ranges of the IANA special-purpose address registries.
#include "base/platform/outbound/address.hpp"

#include <algorithm>
#include <arpa/inet.h>
#include <array>
#include <cctype>
#include <cstdint>
#include <cstring>
#include <netinet/in.h>
#include <stdexcept>
#include <sys/socket.h>

namespace svc::outbound {
namespace {

struct Range4 {
    std::uint32_t base;
    int bits;
};
constexpr std::uint32_t v4(unsigned a, unsigned b, unsigned c, unsigned d) { return a << 24 | b << 16 | c << 8 | d; }
constexpr std::array not_global_4{
    Range4{v4(0, 0, 0, 0), 8},       Range4{v4(10, 0, 0, 0), 8},     Range4{v4(100, 64, 0, 0), 10},
    Range4{v4(127, 0, 0, 0), 8},     Range4{v4(169, 254, 0, 0), 16}, Range4{v4(172, 16, 0, 0), 12},
    Range4{v4(192, 0, 0, 0), 24},    Range4{v4(192, 0, 2, 0), 24},   Range4{v4(192, 31, 196, 0), 24},
    Range4{v4(192, 52, 193, 0), 24}, Range4{v4(192, 88, 99, 0), 24}, Range4{v4(192, 168, 0, 0), 16},
    Range4{v4(192, 175, 48, 0), 24}, Range4{v4(198, 18, 0, 0), 15},  Range4{v4(198, 51, 100, 0), 24},
    Range4{v4(203, 0, 113, 0), 24},  Range4{v4(224, 0, 0, 0), 4},    Range4{v4(240, 0, 0, 0), 4},
};

bool is_global_4(std::uint32_t address) {
    return std::none_of(not_global_4.begin(), not_global_4.end(), [&](const Range4& range) {
        return (address >> (32 - range.bits)) == (range.base >> (32 - range.bits));
    });
}

// Only 2000::/3 is given out. Loopback, mapped IPv4, NAT64, unique local, link-local, site-local and multicast all
// lie outside it; inside it are these exceptions.
bool is_global_6(const std::array<std::uint8_t, 16>& a) {
    if ((a[0] & 0xe0) != 0x20)
        return false;
    const unsigned first = static_cast<unsigned>(a[0] << 8 | a[1]), second = static_cast<unsigned>(a[2] << 8 | a[3]);
    if (first == 0x2001 && second < 0x0200)  // Teredo, benchmarks, ORCHID
        return false;
    if (first == 0x2001 && second == 0x0db8)  // documentation
        return false;
    if (first == 0x2002)  // 6to4
        return false;
    if (first == 0x3fff && second < 0x1000)  // documentation
        return false;
    return !(first == 0x2620 && second == 0x004f);  // AS112
}

}  // namespace

bool is_global(const sockaddr* address) {
    if (address->sa_family == AF_INET) {
        sockaddr_in in{};
        std::memcpy(&in, address, sizeof in);
        return is_global_4(ntohl(in.sin_addr.s_addr));
    }
    if (address->sa_family == AF_INET6) {
        sockaddr_in6 in{};
        std::memcpy(&in, address, sizeof in);
        std::array<std::uint8_t, 16> bytes{};
        std::memcpy(bytes.data(), &in.sin6_addr, bytes.size());
        return is_global_6(bytes);
    }
    return false;
}

bool is_global(const std::string& numeric) {
    sockaddr_in in{};
    if (inet_pton(AF_INET, numeric.c_str(), &in.sin_addr) == 1) {
        in.sin_family = AF_INET;
        return is_global(reinterpret_cast<const sockaddr*>(&in));
    }
    sockaddr_in6 in6{};
    if (inet_pton(AF_INET6, numeric.c_str(), &in6.sin6_addr) == 1) {
        in6.sin6_family = AF_INET6;
        return is_global(reinterpret_cast<const sockaddr*>(&in6));
    }
    return false;
}

Allowed::Allowed(const std::vector<std::string>& targets) : targets_(targets) {
    for (auto& target : targets_) {
        const auto colon = target.rfind(':');
        const auto port = colon == std::string::npos ? std::string() : target.substr(colon + 1);
        const bool digits = !port.empty() && port.find_first_not_of("0123456789") == std::string::npos;
        if (!digits || colon == 0)
            throw std::runtime_error("A private target must be given as host:port, not \"" + target + "\".");
        for (char& c : target)
            c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
}

bool Allowed::has(std::string_view host, int port) const {
    auto target = std::string(host) + ":" + std::to_string(port);
    for (char& c : target)
        c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return std::find(targets_.begin(), targets_.end(), target) != targets_.end();
}

}  // namespace svc::outbound
