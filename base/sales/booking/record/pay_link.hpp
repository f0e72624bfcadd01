// Links that let recipients of a booking's mails pay without signing in: signed, not stored.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/platform/crypto/crypto.hpp"
#include "base/sales/booking/record/booking_link.hpp"
#include "shared/core/date.hpp"

namespace svc::booking {

// How long a pay link is valid; never after the day of travel.
inline constexpr std::chrono::hours pay_link_lifetime{60 * 24};

// A digest of an address for signed links: 16 hex digits, the same in lower and upper case.
std::string address_digest(std::string_view email);

// "p2.{issued}.{mac}". It shows reference, trip and amount and takes the payment, nothing else. Any thread.
struct PayLinks {
    static constexpr std::string_view mark = "p2.";

    const crypto::Keyring& keyring;

    [[nodiscard]] std::string token(const LinkSubject& subject, Instant issued) const;
    // When a token says that it was issued, proven or not; nothing: it is no pay link.
    static std::optional<Instant> issued_at(std::string_view token);
};

}  // namespace svc::booking
