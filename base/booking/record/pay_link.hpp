// Links that let recipients of a booking's mails pay without signing in: signed, not stored.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/platform/crypto/crypto.hpp"

namespace svc::booking {

// A digest of an address for signed links: 16 hex digits, the same in lower and upper case.
std::string address_digest(std::string_view email);

// "p1." and an HMAC of the booking and its address: a new address ends it. Any thread.
struct PayLinks {
    static constexpr std::string_view mark = "p1.";

    const crypto::Keyring& keyring;

    [[nodiscard]] std::string token(std::int64_t booking_id, std::string_view email) const;
};

}  // namespace svc::booking
