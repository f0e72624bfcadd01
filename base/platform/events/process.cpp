// Makes the process's name once.
#include "base/platform/events/process.hpp"

#include <array>
#include <random>
#include <unistd.h>

#include "shared/core/ascii.hpp"

namespace svc::events {

const std::string& process_name() {
    static const std::string name = [] {
        std::array<char, 65> host{};
        if (gethostname(host.data(), host.size() - 1) != 0)
            host = {'h', 'o', 's', 't'};
        std::random_device random;
        std::string digits;
        for (int i = 0; i < 16; ++i)
            digits += ascii::hex_digits[random() % 16];
        return std::string(host.data()) + ":" + std::to_string(getpid()) + ":" + digits;
    }();
    return name;
}

}  // namespace svc::events
