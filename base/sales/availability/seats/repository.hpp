// The SQL of the seat ledger.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "base/sales/availability/record/departure_record.hpp"

namespace svc::availability::rows {

// The limit that applies: the capacity, staff's if the departure allows it, or none with force.
enum class Overbook : std::uint8_t { never, as_allowed, forced };
// Nothing when it is not on sale or has too few seats.
std::optional<TakenSlot> take_seats(store::Transaction& tx, std::int64_t id, std::int64_t seats, Overbook overbook,
                                    Date today, Instant now);
// Prepares the departure for forced seats; false when it is not on sale. Other bookings still cannot overbook it.
bool allow_overbooking(store::Transaction& tx, std::int64_t id, Instant now);
std::optional<Slot> give_seats(store::Transaction& tx, std::int64_t id, std::int64_t seats, Date today, Instant now);
// A hold with an end is soft.
void link(store::Transaction& tx, std::int64_t booking_id, std::int64_t departure_id, std::int64_t seats, Instant now,
          std::optional<Instant> hold_until);
struct Released {
    std::int64_t departure_id = 0, seats = 0;
};
// Nothing when the booking holds no seats.
std::optional<Released> unlink(store::Transaction& tx, std::int64_t booking_id, std::string_view reason, Instant now);
void make_firm(store::Transaction& tx, std::int64_t booking_id);
std::optional<Instant> holds_until(store::Session& session, std::int64_t booking_id);
// Deletes the ledger's and the waitlist's rows of a booking.
void forget(store::Transaction& tx, std::int64_t booking_id);
// Bookings whose soft hold has ended, the oldest first.
std::vector<std::int64_t> lapsed(store::Session& session, Instant now, std::int64_t most);
bool has_lapsed(store::Session& session, std::int64_t booking_id, Instant now);
// The departure a booking waits for, holds seats of, or held them of last.
std::optional<std::int64_t> last_departure(store::Session& session, std::int64_t booking_id);

}  // namespace svc::availability::rows
