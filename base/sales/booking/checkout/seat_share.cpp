// The seats of a client, counted.
#include "base/sales/booking/checkout/seat_share.hpp"

#include "shared/core/mailbox.hpp"
#include "shared/store/later.hpp"

namespace svc::booking {
namespace {

// A family holds as many, on a small date every seat; a larger party books at the desk or pays part by part.
constexpr std::int64_t never_too_many = 10;

// A waiting list would be kept from others by one person who joins it again and again.
constexpr std::int64_t most_waiting = 3;

// One mailbox waits once for a departure, and one network a few times. The answer is the same, so that nobody learns by
// it which address waits.
Result<void> wait_once(store::Transaction& tx, const Booking& booking, std::int64_t departure,
                       const std::string& client) {
    const std::int64_t of_mailbox = tx.number(
        "SELECT COUNT(*) FROM svc_waitlist w JOIN svc_bookings b ON b.id = w.booking_id"
        " JOIN svc_customers c ON c.id = b.customer_id WHERE w.departure_id = :here AND w.ended_at IS NULL"
        " AND b.id <> :booking AND c.email_key = :mailbox",
        {{"here", departure}, {"booking", booking.id}, {"mailbox", mailbox_key(booking.email)}});
    const std::int64_t of_network = tx.number(
        "SELECT COUNT(*) FROM svc_booking_clients c JOIN svc_waitlist w ON w.booking_id = c.booking_id"
        " WHERE c.client = :client AND w.departure_id = :here AND w.ended_at IS NULL",
        {{"client", client}, {"here", departure}});
    if (of_mailbox > 0 || of_network > most_waiting)
        return Error{errc::unpaid_seats_limit, "You or somebody of your network waits for this date already."_sentence};
    return {};
}

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
    if (booking.status == status::waitlist)
        SVC_RETURN_IF_ERROR(wait_once(tx, booking, departure, client));
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
