// The SQL of the waitlist. The caller holds the departure's lock.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "base/sales/availability/record/departure.hpp"
#include "shared/store/store.hpp"

namespace svc::availability::rows {

struct Waiting {
    std::int64_t booking_id = 0, seats = 0;
};
// The departure with the seats waited for added.
std::optional<Slot> join(store::Transaction& tx, std::int64_t booking_id, std::int64_t departure_id, std::int64_t seats,
                         Instant now);
// Nothing when the booking waits for nothing.
std::optional<Slot> leave(store::Transaction& tx, std::int64_t booking_id, std::string_view outcome,
                          std::optional<Instant> offer_expires_at, Instant now);
std::optional<Waiting> head(store::Session& session, std::int64_t departure_id);
std::int64_t waiting_seats(store::Session& session, std::int64_t departure_id);
std::vector<std::int64_t> waiting_bookings(store::Session& session, std::int64_t departure_id);
// Departures from `today` on with free seats and a waitlist.
std::vector<std::int64_t> servable(store::Session& session, Date today, std::int64_t most);
// Bookings that were given seats and have not taken them in time.
std::vector<std::int64_t> ended_offers(store::Session& session, Instant now, std::int64_t most);
// Whether the booking was last on the waitlist, and left it for seats.
bool was_promoted(store::Session& session, std::int64_t booking_id);
void end_offer(store::Transaction& tx, std::int64_t booking_id);

}  // namespace svc::availability::rows
