// The SQL of departures that staff write.
#pragma once

#include <optional>
#include <vector>

#include "base/sales/availability/record/departure.hpp"
#include "shared/store/store.hpp"

namespace svc::availability {

// A booking that holds seats of a departure.
struct Link {
    std::int64_t departure_id = 0, booking_id = 0;
};

namespace rows {

// Active links of departures with ids from `least` to `most`.
std::vector<Link> links(store::Session& session, std::int64_t least, std::int64_t most);
// Every day on which a departure starts or ends, in the trash too.
std::vector<Date> days(store::Session& session, std::optional<std::int64_t> trip_id);

// False when the row has another row_version, more booked seats than the capacity and may not, or, `other_trip`, any
// booked seat.
bool update(store::Transaction& tx, const Departure& departure, bool other_trip, Date today,
            std::optional<std::int64_t> user_id);
void set_prices(store::Transaction& tx, const Departure& departure);
struct Guide {
    std::int64_t user_id = 0;
    std::string name;  // as colleagues know them
};
std::vector<Guide> guides(store::Session& session);  // who may work, by name
// Sets is_planned() on the trip permanently.
void keep_planned(store::Transaction& tx, std::int64_t trip_id);
// False when it has booked seats or does not exist.
bool trash(store::Transaction& tx, std::int64_t id, std::optional<std::int64_t> user_id, Instant now);
// Deletes a trip's departures and their ledger permanently. False, with no change, when bookings have used them.
bool remove_all(store::Transaction& tx, std::int64_t trip_id);

}  // namespace rows
}  // namespace svc::availability
