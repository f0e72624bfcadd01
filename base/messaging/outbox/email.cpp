// Waiting times and names.
#include "base/messaging/outbox/email.hpp"

#include <array>

namespace svc::messaging {

std::string_view name_of(EmailStatus status) {
    constexpr std::array<std::string_view, 5> names{"queued", "sending", "sent", "failed", "suppressed"};
    return names[static_cast<std::size_t>(status)];
}

std::optional<std::chrono::microseconds> wait_after(std::int64_t attempts, double chance) {
    constexpr std::array<int, 5> minutes{1, 5, 15, 60, 240};
    if (attempts < 1 || attempts >= most_attempts)
        return std::nullopt;
    const double seconds = 60.0 * minutes[static_cast<std::size_t>(attempts - 1)] * (0.8 + 0.4 * chance);
    return std::chrono::microseconds(static_cast<std::int64_t>(seconds * 1e6));
}

}  // namespace svc::messaging
