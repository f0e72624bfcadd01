// The right to read one invoice, signed rather than stored: v2.{issued_at}.{mac} over payment, booking, the customer's
// address and the moment.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "base/platform/crypto/crypto.hpp"
#include "shared/core/date.hpp"

namespace svc::booking {

// The subject of a token. Payment 0 is the booking's invoice. The address is the booking's: a new address ends older
// tokens.
struct InvoiceOf {
    std::int64_t payment_id = 0, booking_id = 0;
    std::string_view email;
};

// Any thread.
struct InvoiceTokens {
    const crypto::Keyring& keyring;

    [[nodiscard]] std::string issue(const InvoiceOf& of, Instant at) const;
    // Whether the token was issued for exactly these, at most `lifetime` ago.
    [[nodiscard]] bool proves(std::string_view token, const InvoiceOf& of, Instant now,
                              std::chrono::seconds lifetime) const;
};

}  // namespace svc::booking
