// The seats of a client, counted.
#include "base/booking/checkout/seat_share.hpp"

#include "shared/store/later.hpp"

namespace svc::booking {
namespace {

// A family holds as many, on a small date every seat; a larger party books at the desk or pays part by part.
constexpr std::int64_t never_too_many = 10;

}  // namespace

Result<void> claim_share(store::Transaction& tx, const Booking& booking, const std::string& client,
                         std::int64_t percent) {
    if (client.empty() || !booking.departure_id)
        return {};
    store::run_later(tx, "INSERT INTO svc_booking_clients (booking_id, client) VALUES (:booking, :client)",
                     {{"booking", booking.id}, {"client", client}});
    if (percent >= 100)
        return {};
    const std::int64_t departure = *booking.departure_id;
    const std::int64_t held = tx.number(
        "SELECT CAST(COALESCE(SUM(x.seats), 0) AS BIGINT)"
        " FROM (SELECT l.booking_id, l.departure_id, l.seats FROM svc_booking_clients c JOIN svc_booking_departures l"
        " ON l.booking_id = c.booking_id AND l.released_at IS NULL WHERE c.client = :client"
        " UNION ALL SELECT w.booking_id, w.departure_id, w.seats FROM svc_booking_clients c JOIN svc_waitlist w"
        " ON w.booking_id = c.booking_id AND w.ended_at IS NULL WHERE c.client = :same_client) x"
        " JOIN svc_bookings b ON b.id = x.booking_id"
        " WHERE x.departure_id = :here AND b.amount_paid_minor = 0"
        " AND b.status IN ('pending', 'pending_verification', 'waitlist')",
        {{"here", departure}, {"client", client}, {"same_client", client}});
    const std::int64_t capacity = tx.number("SELECT capacity FROM svc_departures WHERE id = :id", {{"id", departure}});
    // rounds partial seats up
    const bool is_too_many = held > never_too_many && (held - 1) * 100 >= capacity * percent;
    return is_too_many ? Result<void>(errc::unpaid_seats_limit) : Result<void>{};
}

}  // namespace svc::booking
