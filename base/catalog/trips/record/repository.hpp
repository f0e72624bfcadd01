// The SQL of trips, and of nothing else.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "base/catalog/trips/record/trip.hpp"
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

// The last change of a trip, from svc_trip_changes, and the versions of its row.
struct TripVersion {
    std::int64_t id = 0, stamp = 0, row_version = 0, counts_version = 0;
    bool shown = true;  // published or archived, so that everyone may read it
};

// The approved reviews of a trip: how many, and the mean of their stars in hundredths, 0 without any.
struct TripRating {
    std::int64_t reviews = 0, hundredths = 0;
};

// Totals of a trip's bookings; amounts in the trip's currency.
struct TripSales {
    std::int64_t bookings = 0, revenue_minor = 0;
    std::optional<Instant> last_booked_at = {};
};

// Each function runs on the session it is given.
namespace rows {

// Parameters of a statement with a period: :dated, :from and :to.
void add_period(store::Params& params, const api::Period& period);
std::optional<Trip> find(store::Session& session, std::int64_t id);
// Those that there are, in the order of the ids.
std::vector<Trip> find_all(store::Session& session, std::span<const std::int64_t> ids);
// Locks the row, so that following reads are current; SQLite has a single writer anyway.
void lock(store::Transaction& tx, std::int64_t id);
// The sort keys of lists, over the row `r`.
const std::vector<record::Sort>& trip_sorts();
std::vector<Trip> list(store::Session& session, const TripQuery& query);
std::int64_t count(store::Session& session, const TripQuery& query);
TripCounts counts(store::Session& session);
bool any(store::Session& session);

// Published and archived ones.
std::vector<std::int64_t> public_ids(store::Session& session);

// A position in the changes of trips: changed_since() returns later ones, and all that were in progress at that moment.
std::int64_t moment(store::Session& session);
// Ordered by id, deleted ones included.
std::vector<TripVersion> changed_since(store::Session& session, std::int64_t moment);
// The stamp of each trip's last change, ordered by id. Read before the trips, a stamp is never newer than its trip.
std::vector<std::pair<std::int64_t, std::int64_t>> stamps(store::Session& session, std::span<const std::int64_t> ids);

// Published item types and items for itineraries, as lists show them.
struct NamedTerm {
    std::int64_t id = 0;
    std::string name, icon, color;
    std::optional<std::int64_t> type_id;
};
std::vector<NamedTerm> things(store::Session& session, std::string_view type);

// Changes due by time. Returns ids, the earliest first.
enum class Due : std::uint8_t { publish, archive };
std::vector<std::int64_t> due(store::Session& session, Due what, Instant now, std::int64_t most);
// Trips with a season, published or archived by its end.
struct Season {
    std::int64_t trip_id = 0;
    bool published = false;
    std::optional<Date> enable, disable;
};
std::vector<Season> seasons(store::Session& session);

// The slug, or the first free one with a suffix from -2 on; `own` is the trip that may keep it (0: none).
std::string free_slug(store::Session& session, const std::string& wished, std::int64_t own);

// The trip's id; price types and time slots are children's. Throws store::UniqueViolation when another writer took the
// slug in the meantime.
std::int64_t insert(store::Transaction& tx, const Trip& trip);
// False when the row is missing or has another row_version; increments it.
bool update(store::Transaction& tx, const Trip& trip);
// The next row_version, and the next version of the public form, after a change of related rows.
void touch(store::Transaction& tx, std::int64_t id, std::optional<std::int64_t> user_id, Instant now);
// Adds views on a day; the trip's count is the sum of all days. Ignores missing trips.
void add_views(store::Transaction& tx, std::int64_t id, Date day, std::int64_t views, Instant now);
// False when nothing changed.
bool set_sales(store::Transaction& tx, std::int64_t id, const TripSales& sales);
bool set_rating(store::Transaction& tx, std::int64_t id, const TripRating& rating);
bool trash(store::Transaction& tx, const Trip& trip, std::optional<std::int64_t> user_id, Instant now);
// Throws store::ConstraintViolation while anything refers to it.
void remove(store::Transaction& tx, std::int64_t id);
}  // namespace rows

}  // namespace svc::catalog::trips
