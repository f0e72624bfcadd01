// Creates pay links and checks them against the current booking.
#include "base/booking/record/pay_link.hpp"

#include "base/booking/record/service.hpp"
#include "shared/core/text.hpp"

namespace svc::booking {

std::string address_digest(std::string_view email) { return crypto::sha256_hex(text::folded(email)).substr(0, 16); }

std::string PayLinks::token(std::int64_t booking_id, std::string_view email) const {
    return std::string(mark) +
           crypto::hex(keyring.mac("pay_link", std::to_string(booking_id) + ":" + address_digest(email)));
}

Service::PayLink Service::pay_link(std::string_view token, std::int64_t booking_id) const {
    const auto booking = find(booking_id);
    if (!booking || !parts_.keyring.any([&](const crypto::Keyring& one) {
            return crypto::equal(PayLinks{one}.token(booking_id, booking->email), token);
        }))
        return PayLink::foreign;
    const bool owes = holds_seats(booking->status) && !booking->amount_owed().is_zero();
    const Date today = parts_.settings.zone().date_at(parts_.clock.now());
    return owes && today <= booking->travel_date ? PayLink::proves : PayLink::ended;
}

}  // namespace svc::booking
