// Links by which the recipient of a booking's mails reads it without an account: signed, not stored.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/platform/crypto/crypto.hpp"

namespace svc::booking {

// Days after the trip's last one on which its booking link ends.
inline constexpr std::int32_t booking_link_days = 60;

// What a mailed link of a booking is bound to.
struct LinkSubject {
    std::int64_t booking_id = 0;
    std::string_view email;    // the booking's contact address
    std::int64_t counter = 0;  // svc_bookings.link_counter: raised, it ends the links before
};

// "b1.{booking}.{mac}". It reads the booking and its documents, also after cancellation; a booking_token, for which it
// is exchanged, acts. Any thread.
struct BookingLinks {
    static constexpr std::string_view mark = "b1.";

    const crypto::Keyring& keyring;

    [[nodiscard]] std::string token(const LinkSubject& subject) const;
    // The booking that a token names, proven or not; 0: it is no booking link.
    static std::int64_t booking_of(std::string_view token);
};

}  // namespace svc::booking
