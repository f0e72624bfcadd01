// The SQL of trips, and of nothing else.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "base/catalog/trips/trip.hpp"
#include "shared/api/period.hpp"
#include "shared/record/orders.hpp"
#include "shared/store/store.hpp"

namespace svc::catalog::trips {

struct TripQuery {
    std::string status = {};  // empty and "all": everything but the trash
    api::Period made = {};    // when they were created
    std::string search = {};  // as typed; empty: all
    bool names_only = false;  // searched are titles and slugs alone
    std::string order_by = "id";
    bool ascending = false;
    std::int64_t limit = 20, offset = 0;
};

struct TripCounts {
    std::int64_t all = 0;  // without the trash
    std::vector<std::pair<TripStatus, std::int64_t>> by_status;
};

// When a trip was last changed, by svc_trip_changes, and the versions of its own row.
struct TripVersion {
    std::int64_t id = 0, stamp = 0, row_version = 0, counts_version = 0;
    bool shown = true;  // published or archived, so that everyone may read it
};

// The approved reviews of a trip: how many, and the mean of their stars in hundredths, 0 without any.
struct TripRating {
    std::int64_t reviews = 0, hundredths = 0;
};

// What the bookings of a trip come to; the sum in the trip's currency.
struct TripSales {
    std::int64_t bookings = 0, revenue_minor = 0;
    std::optional<Instant> last_booked_at = {};
};

// Each function runs on the session it is given.
namespace rows {

// Values of a statement that asks for a period: :dated, :from and :to.
void add_period(store::Params& params, const api::Period& period);
std::optional<Trip> find(store::Session& session, std::int64_t id);
// Those that there are, in the order of the ids.
std::vector<Trip> find_all(store::Session& session, std::span<const std::int64_t> ids);
// Makes other writers of the row wait, so that what is read next is what is changed; SQLite has one writer anyway.
void lock(store::Transaction& tx, std::int64_t id);
// What lists are sorted by, over the row `r`.
const std::vector<record::Sort>& trip_sorts();
std::vector<Trip> list(store::Session& session, const TripQuery& query);
std::int64_t count(store::Session& session, const TripQuery& query);
TripCounts counts(store::Session& session);
bool any(store::Session& session);

// Published and archived ones.
std::vector<std::int64_t> public_ids(store::Session& session);

// A moment of the table of trips: what changes later is told by changed_since(). What was being written at that moment
// is told too, seen or not.
std::int64_t moment(store::Session& session);
// In the order of their ids, those that are gone included.
std::vector<TripVersion> changed_since(store::Session& session, std::int64_t moment);
// When each of these was last changed: id and stamp, in the order of the ids. Asked before the trips are read, it is at
// most older than what is read then.
std::vector<std::pair<std::int64_t, std::int64_t>> stamps(store::Session& session, std::span<const std::int64_t> ids);

// What itineraries can be made of: published item types and items, as lists tell them.
struct NamedThing {
    std::int64_t id = 0;
    std::string name, icon, color;
    std::optional<std::int64_t> type_id;
};
std::vector<NamedThing> things(store::Session& session, std::string_view type);

// What the clock changes. Ids of those due first.
enum class Due : std::uint8_t { publish, archive };
std::vector<std::int64_t> due(store::Session& session, Due what, Instant now, std::int64_t most);
// Trips with a season, published or archived by its end.
struct Season {
    std::int64_t trip_id = 0;
    bool published = false;
    std::optional<Date> enable, disable;
};
std::vector<Season> seasons(store::Session& session);

// The slug itself, or with the next suffix from -2 on that is free; `own` is the trip that may keep it (0: none).
std::string free_slug(store::Session& session, const std::string& wished, std::int64_t own);

// The trip's id; price types and time slots are children's. Throws store::UniqueViolation when another writer took the
// slug in the meantime.
std::int64_t insert(store::Transaction& tx, const Trip& trip);
// False when the row is gone or has another row_version than the trip; else it has the next one.
bool update(store::Transaction& tx, const Trip& trip);
// The next row_version, and the next version of what everyone reads, after a change of rows beside it.
void touch(store::Transaction& tx, std::int64_t id, std::optional<std::int64_t> user_id, Instant now);
// More views on a day; the trip's own count is the sum of all days. Nothing for a trip that is gone.
void add_views(store::Transaction& tx, std::int64_t id, Date day, std::int64_t views, Instant now);
// False when they are what they were.
bool set_sales(store::Transaction& tx, std::int64_t id, const TripSales& sales);
bool set_rating(store::Transaction& tx, std::int64_t id, const TripRating& rating);
bool trash(store::Transaction& tx, const Trip& trip, std::optional<std::int64_t> user_id, Instant now);
// Throws store::ConstraintViolation while anything refers to it.
void remove(store::Transaction& tx, std::int64_t id);
}  // namespace rows

}  // namespace svc::catalog::trips
