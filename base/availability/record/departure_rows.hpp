// The SQL of departures and of the seat ledger.
#pragma once

#include <string>
#include <vector>

#include "base/availability/record/departure.hpp"
#include "shared/store/store.hpp"

namespace svc::availability {

struct DepartureQuery {
    std::optional<std::int64_t> trip_id = {};
    std::string status = {};        // empty and "all": everything but the trash; upcoming: every future one, full too
    std::string availability = {};  // a capacity class, empty: any
    std::string search = {};        // as typed: in start date, end date or notes
    bool in_places = false;         // search in from and to location instead of the notes
    std::string site_dates = {};    // days whose text in the site's own format the search is in, as 2026-06-10
    std::string sale_status = {};   // as sale_status() says, empty: any
    std::optional<Origin> origin = {};
    std::optional<std::int64_t> guide_id = {};  // only those that this user guides
    std::optional<Date> from = {}, to = {};     // start date, inclusive
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

// Every day on which a departure starts or ends, in the trash too.
std::vector<Date> days(store::Session& session, std::optional<std::int64_t> trip_id);
bool is_category(store::Session& session, std::int64_t category_id);  // of travelers
bool is_user(store::Session& session, std::int64_t user_id);

// Fills in what the departures cost by traveler category.
void read_category_prices(store::Session& session, std::vector<Slot>& slots);
std::vector<Slot> on_date(store::Session& session, std::int64_t trip_id, Date date);
// Whether staff ever planned a departure, be it in the trash now, or a recurring rule.
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
// False when the row has another row_version, more booked seats than the capacity and may not, or, `other_trip`, any
// booked seat.
bool update(store::Transaction& tx, const Departure& departure, bool other_trip, Date today,
            std::optional<std::int64_t> user_id);
void set_prices(store::Transaction& tx, const Departure& departure);
// The trip is_planned() for good, whatever becomes of its departures.
void keep_planned(store::Transaction& tx, std::int64_t trip_id);
// False when it has booked seats or is gone.
bool trash(store::Transaction& tx, std::int64_t id, std::optional<std::int64_t> user_id, Instant now);
// Deletes a trip's departures and their ledger for good. False, and nothing done, when bookings have used them.
bool remove_all(store::Transaction& tx, std::int64_t trip_id);

struct Taken {
    Slot slot;
    bool is_low = false;  // with this taking the seats left fell to the alert threshold
};
// Beyond the capacity: nobody, staff where the departure says that they may, or whoever may force it.
enum class Overbook : std::uint8_t { never, as_allowed, forced };
// Nothing when it is not on sale or has too few seats.
std::optional<Taken> take_seats(store::Transaction& tx, std::int64_t id, std::int64_t seats, Overbook overbook,
                                Date today, Instant now);
// Prepares it for a taking that is forced; false when it is not on sale. Nobody else may overbook it for that.
bool allow_overbooking(store::Transaction& tx, std::int64_t id, Instant now);
std::optional<Slot> give_seats(store::Transaction& tx, std::int64_t id, std::int64_t seats, Date today, Instant now);
std::optional<Slot> slot(store::Session& session, std::int64_t id);
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
// Makes other writers of the row wait; on SQLite there are none.
void lock(store::Transaction& tx, std::int64_t departure_id);

// -- the waitlist (waitlist_rows.cpp)
struct Waiting {
    std::int64_t id = 0, booking_id = 0, seats = 0;
};
// The departure with what is waited for since.
std::optional<Slot> join(store::Transaction& tx, std::int64_t booking_id, std::int64_t departure_id, std::int64_t seats,
                         Instant now);
// Nothing when the booking waits for nothing.
std::optional<Slot> leave(store::Transaction& tx, std::int64_t booking_id, std::string_view outcome,
                          std::optional<Instant> offer_expires_at, Instant now);
std::optional<Waiting> head(store::Session& session, std::int64_t departure_id);
std::int64_t waiting_seats(store::Session& session, std::int64_t departure_id);
std::vector<Link> waiting_bookings(store::Session& session, std::int64_t departure_id);
// Departures from `today` on with free seats that somebody waits for.
std::vector<std::int64_t> servable(store::Session& session, Date today, std::int64_t most);
// Bookings that were given seats and have not taken them in time.
std::vector<std::int64_t> ended_offers(store::Session& session, Instant now, std::int64_t most);
void end_offer(store::Transaction& tx, std::int64_t booking_id);

// -- calendars (feed_rows.cpp); trip_id 0 is that of all trips
std::int64_t feed_revision(store::Session& session, std::int64_t trip_id);  // 0 while it is closed
std::int64_t renew_feed(store::Transaction& tx, std::int64_t trip_id, bool enabled, std::optional<std::int64_t> user_id,
                        Instant now);

struct Refreshed {
    std::int64_t past = 0, full = 0, upcoming = 0;
};
Refreshed refresh_statuses(store::Transaction& tx, Date today, Instant now);
std::vector<Mismatch> mismatches(store::Session& session, std::int64_t most);
// Sets the count to what the ledger says, under the row's lock; the departure afterwards. Nothing when the ledger
// holds more than the capacity.
std::optional<Slot> repair(store::Transaction& tx, std::int64_t departure_id, Date today, Instant now);
}  // namespace rows

}  // namespace svc::availability
