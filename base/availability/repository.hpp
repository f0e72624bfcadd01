// The SQL of departures and of the seat ledger.
#pragma once

#include <string>
#include <vector>

#include "base/availability/departure.hpp"
#include "shared/store/store.hpp"

namespace svc::availability {

struct DepartureQuery {
    std::optional<std::int64_t> trip_id = {};
    std::string status = {};        // empty and "all": everything but the trash; upcoming: every future one, full too
    std::string availability = {};  // a capacity class, empty: any
    std::string search = {};        // as typed: in start date, end date or notes
    std::optional<Origin> origin = {};
    std::optional<Date> from = {}, to = {};  // start date, inclusive
    bool include_past = true;
    std::string order_by = "start_date";
    bool ascending = true;
    std::int64_t limit = INT64_MAX, offset = 0;
    Date today = {};
};

struct TabCounts {
    std::int64_t all = 0, upcoming = 0, full = 0, past = 0, cancelled = 0, trash = 0;
};

struct Link {
    std::int64_t departure_id = 0, booking_id = 0;
};

// A departure whose count of booked seats is not the sum of its ledger.
struct Mismatch {
    std::int64_t departure_id = 0, booked = 0, ledger = 0;
};

namespace rows {
std::optional<Departure> find(store::Session& session, std::int64_t id);  // the trash too
std::vector<Departure> list(store::Session& session, const DepartureQuery& query);
std::int64_t count(store::Session& session, const DepartureQuery& query);
TabCounts counts(store::Session& session, const DepartureQuery& query);  // whatever query.status says
// Active links of departures with ids from `least` to `most`.
std::vector<Link> links(store::Session& session, std::int64_t least, std::int64_t most);

std::vector<Slot> on_date(store::Session& session, std::int64_t trip_id, Date date);
bool is_planned(store::Session& session, std::int64_t trip_id);

// For memory. Those that have not ended before `first`, without the deleted ones.
std::vector<Slot> current(store::Session& session, Date first);
std::vector<Slot> of_trip(store::Session& session, std::int64_t trip_id, Date first);
std::vector<std::int64_t> planned_trips(store::Session& session);
std::vector<std::pair<Slot, Instant>> changed_since(store::Session& session, Instant since);  // deleted ones too

// Throws store::UniqueViolation when the trip's date and time are taken.
std::int64_t insert(store::Transaction& tx, const Departure& departure, std::optional<std::int64_t> user_id);
// As insert; nothing when another one is there first.
std::optional<Slot> insert_unless_there(store::Transaction& tx, const Departure& departure);
// False when the row has another row_version, more booked seats than the capacity, or, `moved`, any booked seat.
bool update(store::Transaction& tx, const Departure& departure, bool moved, Date today,
            std::optional<std::int64_t> user_id);
// False when it has booked seats or is gone.
bool trash(store::Transaction& tx, std::int64_t id, std::optional<std::int64_t> user_id, Instant now);
// Deletes a trip's departures and their ledger for good. False, and nothing done, when bookings have used them.
bool remove_all(store::Transaction& tx, std::int64_t trip_id);

// The departure afterwards; nothing when it is not on sale or has too few seats.
std::optional<Slot> take_seats(store::Transaction& tx, std::int64_t id, std::int64_t seats, Date today, Instant now);
std::optional<Slot> give_seats(store::Transaction& tx, std::int64_t id, std::int64_t seats, Date today, Instant now);
std::optional<Slot> slot(store::Session& session, std::int64_t id);
void link(store::Transaction& tx, std::int64_t booking_id, std::int64_t departure_id, std::int64_t seats, Instant now);
struct Released {
    std::int64_t departure_id = 0, seats = 0;
};
// Nothing when the booking holds no seats.
std::optional<Released> unlink(store::Transaction& tx, std::int64_t booking_id, std::string_view reason, Instant now);
// The departure a booking holds seats of or held them of last.
std::optional<std::int64_t> last_departure(store::Session& session, std::int64_t booking_id);
// Makes other writers of the row wait; on SQLite there are none.
void lock(store::Transaction& tx, std::int64_t departure_id);

struct Refreshed {
    std::int64_t past = 0, full = 0, upcoming = 0;
};
Refreshed refresh_statuses(store::Transaction& tx, Date today, Instant now);
std::vector<Mismatch> mismatches(store::Session& session);
}  // namespace rows

}  // namespace svc::availability
