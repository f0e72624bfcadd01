// The port of downloads to bookings, which are a higher feature: booking implements it.
#pragma once

#include "shared/api/route.hpp"

namespace svc::catalog::downloads {

// Any thread.
class Buyers {
  public:
    virtual ~Buyers() = default;

    // Whether the caller is staff, the booking's owner or its guest.
    [[nodiscard]] virtual Result<void> owns(const api::Request& request, std::int64_t booking_id) const = 0;
    // Whether it is a confirmed booking of that trip: booking_not_found, svc_forbidden.
    [[nodiscard]] virtual Result<void> may_download(std::int64_t booking_id, std::int64_t trip_id) const = 0;
};

}  // namespace svc::catalog::downloads
