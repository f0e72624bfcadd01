// The way back to a booking: its mailed link opened, asked for again, or renewed by staff.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/platform/limits/rate_limits.hpp"
#include "base/sales/booking/record/service.hpp"

namespace svc::booking {

// Any thread. Mails are sent by listeners of svc_booking_link_wanted.
class Links {
  public:
    Links(const Parts& parts, const Service& records, limits::RateLimits& limits)
        : parts_(parts), records_(records), limits_(limits) {}

    struct Opened {
        Booking booking;
        std::string booking_token;  // empty: the booking has ended and is only read
        Instant expires_at = {};
    };
    // A booking_token for the holder of a booking link. invalid_token, token_expired, svc_rate_limited.
    Result<Opened> open(std::string_view link, std::string_view address);
    // Mails the link to the booking's contact address if reference and address belong together; the outcome and its
    // cost do not depend on that. `address` is the caller's. svc_rate_limited.
    Result<void> send_again(const std::string& reference, const std::string& email, std::string_view address);
    // Ends every link and secret of the booking, and mails a new link unless `silently`. booking_not_found,
    // svc_conflict.
    Result<Booking> renew(std::int64_t id, bool silently);

  private:
    Parts parts_;
    const Service& records_;
    limits::RateLimits& limits_;
};

}  // namespace svc::booking
