// The seats of a client, counted.
#include "base/booking/seat_share.hpp"

#include "shared/store/later.hpp"

namespace svc::booking {
namespace {

// A family that books one by one holds as many, on a small date every seat; who writes a script wants more.
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
    struct Held {
        std::int64_t seats = 0, elsewhere = 0;
    };
    const std::int64_t departure = *booking.departure_id;
    const auto held = tx.first<Held>(
        "SELECT COALESCE(SUM(CASE WHEN x.departure_id = :here THEN x.seats ELSE 0 END), 0),"
        " COALESCE(SUM(CASE WHEN x.booking_id = :booking THEN 0 ELSE 1 END), 0)"
        " FROM (SELECT l.booking_id, l.departure_id, l.seats FROM svc_booking_clients c JOIN svc_booking_departures l"
        " ON l.booking_id = c.booking_id AND l.released_at IS NULL WHERE c.client = :client"
        " UNION ALL SELECT w.booking_id, w.departure_id, w.seats FROM svc_booking_clients c JOIN svc_waitlist w"
        " ON w.booking_id = c.booking_id AND w.ended_at IS NULL WHERE c.client = :same_client) x"
        " JOIN svc_bookings b ON b.id = x.booking_id"
        " WHERE b.amount_paid_minor = 0 AND b.status IN ('pending', 'pending_verification', 'waitlist')",
        "ii", {{"here", departure}, {"booking", booking.id}, {"client", client}, {"same_client", client}},
        [](const store::Row& row) { return Held{.seats = row.integer(0), .elsewhere = row.integer(1)}; });
    if (!held || held->elsewhere == 0)
        return {};
    const std::int64_t capacity = tx.number("SELECT capacity FROM svc_departures WHERE id = :id", {{"id", departure}});
    const bool is_too_many =
        held->seats > never_too_many && (held->seats - 1) * 100 >= capacity * percent;  // a seat begun is a seat
    return is_too_many ? Result<void>(errc::unpaid_seats_limit) : Result<void>{};
}

}  // namespace svc::booking
