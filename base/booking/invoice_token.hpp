// The right to read one invoice, signed rather than stored: v2.{issued_at}.{mac} over payment, booking and moment.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "base/platform/crypto/crypto.hpp"
#include "shared/core/date.hpp"

namespace svc::booking {

// Payment 0 stands for the invoice of the booking itself. Any thread.
struct InvoiceTokens {
    const crypto::Keyring& keyring;

    [[nodiscard]] std::string issue(std::int64_t payment_id, std::int64_t booking_id, Instant at) const;
    // Whether the token was issued for exactly these, at most `lives` ago.
    [[nodiscard]] bool proves(std::string_view token, std::int64_t payment_id, std::int64_t booking_id, Instant now,
                              std::chrono::seconds lives) const;
};

}  // namespace svc::booking
