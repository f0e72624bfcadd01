// The bookings that give access to a download.
#include "base/sales/booking/guest/buyers.hpp"

#include "base/sales/booking/record/service.hpp"

namespace svc::booking {

Result<void> Buyers::may_download(std::int64_t booking_id, std::int64_t trip_id) const {
    const auto booking = bookings_.find(booking_id);
    if (!booking)
        return errc::booking_not_found;
    if (booking->trip_id != trip_id)
        return Error{errc::forbidden, "This booking is of another trip."_sentence};
    if (booking->status != status::confirmed && booking->status != status::completed)
        return Error{errc::forbidden, "This booking is not confirmed."_sentence};
    return {};
}

}  // namespace svc::booking
