// Statements on svc_trips.
#include "base/catalog/trips/repository.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <unordered_map>

#include "base/catalog/trips/children.hpp"
#include "base/catalog/trips/columns.hpp"
#include "shared/core/slug.hpp"
#include "shared/store/by_ids.hpp"

namespace svc::catalog::trips::rows {
namespace {

#define SVC_TRIP_FILTER " FROM svc_trips WHERE ((:any_status = 1 AND status <> 'trash') OR status = :status)"
#define SVC_TRIP_MADE " AND created_at >= :from AND created_at < :to"
// Whether a period was asked for comes first: created_at lies behind the long texts of a row.
#define SVC_TRIP_LIST(order)                   \
    "SELECT " SVC_TRIP_COLUMNS SVC_TRIP_FILTER \
    " AND (:dated = 0 OR (created_at >= :from AND created_at < :to)) ORDER BY " order " LIMIT :limit OFFSET :offset"
struct Order {
    std::string_view key, ascending, descending;
};
#define SVC_TRIP_ORDER(key, expression) \
    Order { key, SVC_TRIP_LIST(expression ", id"), SVC_TRIP_LIST(expression " DESC, id DESC") }
constexpr std::array orders{
    Order{"id", SVC_TRIP_LIST("id"), SVC_TRIP_LIST("id DESC")},
    SVC_TRIP_ORDER("title", "title_folded"),
    SVC_TRIP_ORDER("price", SVC_SHOWN_PRICE("svc_trips")),
    SVC_TRIP_ORDER("duration", "duration_days"),
    SVC_TRIP_ORDER("status", "status"),
    SVC_TRIP_ORDER("bookings_count", "bookings_count"),
    SVC_TRIP_ORDER("avg_rating", "avg_rating_hundredths"),
    SVC_TRIP_ORDER("created_at", "created_at"),
    SVC_TRIP_ORDER("updated_at", "updated_at"),
};

store::Params filter_of(const TripQuery& query) {
    const bool any = query.status.empty() || query.status == "all";
    store::Params params{{"any_status", any}, {"status", any ? std::string() : query.status}};
    add_period(params, query.made);
    return params;
}

}  // namespace

void add_period(store::Params& params, const api::Period& period) {
    params.emplace_back("dated", period.from || period.to);
    params.emplace_back("from", period.from.value_or(Instant::from_micros(INT64_MIN)));
    params.emplace_back("to", period.to.value_or(Instant::from_micros(INT64_MAX)));
}

std::optional<Trip> find(store::Session& session, std::int64_t id) {
    auto trips =
        session.all<Trip>("SELECT " SVC_TRIP_COLUMNS " FROM svc_trips WHERE id = :id", trip_types, {{"id", id}}, read);
    if (trips.empty())
        return std::nullopt;
    add_children(session, trips);
    return std::move(trips.front());
}

std::vector<Trip> find_all(store::Session& session, std::span<const std::int64_t> ids) {
    std::vector<Trip> trips;
    trips.reserve(ids.size());
    store::each_of(session, SVC_BY_IDS("SELECT " SVC_TRIP_COLUMNS " FROM svc_trips WHERE", "id", ""), trip_types, ids,
                   [&](const store::Row& row) { trips.push_back(read(row)); });
    add_children(session, trips);
    std::unordered_map<std::int64_t, std::size_t> place;
    for (std::size_t i = 0; i < ids.size(); ++i)
        place.emplace(ids[i], i);
    const auto earlier = [&](const Trip& a, const Trip& b) { return place.at(a.id) < place.at(b.id); };
    if (!std::is_sorted(trips.begin(), trips.end(), earlier))
        std::sort(trips.begin(), trips.end(), earlier);
    return trips;
}

void lock(store::Transaction& tx, std::int64_t id) {
    if (tx.dialect() == store::Dialect::postgresql)
        tx.number("SELECT id FROM svc_trips WHERE id = :id FOR UPDATE", {{"id", id}});
}

std::vector<Trip> list(store::Session& session, const TripQuery& query) {
    const auto* order =
        std::find_if(orders.begin(), orders.end(), [&](const Order& each) { return each.key == query.order_by; });
    if (order == orders.end())
        throw std::logic_error("trips have no such order: " + query.order_by);
    auto params = filter_of(query);
    params.emplace_back("limit", query.limit);
    params.emplace_back("offset", query.offset);
    auto trips = session.all<Trip>(query.ascending ? order->ascending : order->descending, trip_types, params, read);
    add_children(session, trips);
    return trips;
}

std::int64_t count(store::Session& session, const TripQuery& query) {
    return session.number(query.made.from || query.made.to ? "SELECT COUNT(*)" SVC_TRIP_FILTER SVC_TRIP_MADE
                                                           : "SELECT COUNT(*)" SVC_TRIP_FILTER,
                          filter_of(query));
}

TripCounts counts(store::Session& session) {
    TripCounts counts;
    for (int status = 0; status <= static_cast<int>(TripStatus::trash); ++status)
        counts.by_status.emplace_back(static_cast<TripStatus>(status), 0);
    session.each("SELECT status, COUNT(*) FROM svc_trips GROUP BY status", "ti", {}, [&](const store::Row& row) {
        const auto status = trip_status(row.text(0)).value();
        counts.by_status.at(static_cast<std::size_t>(status)).second = row.integer(1);
        if (status != TripStatus::trash)
            counts.all += row.integer(1);
    });
    return counts;
}

bool any(store::Session& session) {
    return session.number("SELECT COUNT(*) FROM (SELECT 1 FROM svc_trips LIMIT 1) AS one", {}) > 0;
}

std::vector<std::int64_t> public_ids(store::Session& session) {
    return session.all<std::int64_t>("SELECT id FROM svc_trips WHERE status IN ('publish', 'archived') ORDER BY id",
                                     "i", {}, [](const store::Row& row) { return row.integer(0); });
}

// On PostgreSQL transactions end in another order than they begin in: the moment is the first that has not ended. One
// that has not begun yet can have no stamp: those of a copied database are none of ours.
std::int64_t moment(store::Session& session) {
    return session.number(session.dialect() == store::Dialect::sqlite
                              ? "SELECT COALESCE(MAX(stamp), 0) + 1 FROM svc_trip_changes"
                              : "SELECT CAST(CAST(pg_snapshot_xmin(pg_current_snapshot()) AS TEXT) AS BIGINT)",
                          {});
}

#define SVC_TRIPS_CHANGED                                                                                   \
    "SELECT change.trip_id, change.stamp, COALESCE(trip.row_version, 0), COALESCE(trip.counts_version, 0)," \
    " CASE WHEN trip.status IN ('publish', 'archived') THEN 1 ELSE 0 END FROM svc_trip_changes AS change"   \
    " LEFT JOIN svc_trips AS trip ON trip.id = change.trip_id WHERE change.stamp >= :moment"

std::vector<TripVersion> changed_since(store::Session& session, std::int64_t moment) {
    return session.all<TripVersion>(
        session.dialect() == store::Dialect::sqlite ? SVC_TRIPS_CHANGED " ORDER BY change.trip_id"
                                                    : SVC_TRIPS_CHANGED
            " AND change.stamp < CAST(CAST(pg_snapshot_xmax(pg_current_snapshot()) AS TEXT) AS BIGINT)"
            " ORDER BY change.trip_id",
        "iiiii", {{"moment", moment}}, [](const store::Row& row) {
            return TripVersion{row.integer(0), row.integer(1), row.integer(2), row.integer(3), row.flag(4)};
        });
}

std::vector<std::pair<std::int64_t, std::int64_t>> stamps(store::Session& session, std::span<const std::int64_t> ids) {
    constexpr store::ByIds known =
        SVC_BY_IDS("SELECT trip_id, stamp FROM svc_trip_changes WHERE", "trip_id", "ORDER BY trip_id");
    std::vector<std::pair<std::int64_t, std::int64_t>> all;
    all.reserve(ids.size());
    store::each_of(session, known, "ii", ids,
                   [&](const store::Row& row) { all.emplace_back(row.integer(0), row.integer(1)); });
    return all;
}

std::vector<NamedThing> things(store::Session& session, std::string_view type) {
    return session.all<NamedThing>(
        "SELECT id, name, icon, color, item_type_id FROM svc_classifications WHERE type = :type"
        " AND status = 'publish' ORDER BY name_folded, id LIMIT 1000",
        "ittti", {{"type", type}}, [](const store::Row& row) {
            return NamedThing{row.integer(0), row.text(1), row.text(2), row.text(3), row.maybe_integer(4)};
        });
}

std::vector<std::int64_t> due(store::Session& session, Due what, Instant now, std::int64_t most) {
    return session.all<std::int64_t>(
        what == Due::publish ? "SELECT id FROM svc_trips WHERE scheduled_publish_at <= :now"
                               " AND status IN ('draft', 'review', 'approved')"
                               " ORDER BY scheduled_publish_at, id LIMIT :most"
                             : "SELECT id FROM svc_trips WHERE scheduled_unpublish_at <= :now AND status = 'publish'"
                               " ORDER BY scheduled_unpublish_at, id LIMIT :most",
        "i", {{"now", now}, {"most", most}}, [](const store::Row& row) { return row.integer(0); });
}

std::vector<Season> seasons(store::Session& session) {
    return session.all<Season>(
        "SELECT id, status, seasonal_enable_date, seasonal_disable_date FROM svc_trips WHERE seasonal_auto_enable = 1"
        " AND (status = 'publish' OR (status = 'archived' AND archived_by_season = 1)) ORDER BY id",
        "ittt", {}, [](const store::Row& row) {
            return Season{row.integer(0), row.text(1) == "publish", row.maybe_date(2), row.maybe_date(3)};
        });
}

std::string free_slug(store::Session& session, const std::string& wished, std::int64_t own) {
    const auto taken = [&](const std::string& slug) {
        return session.number("SELECT COUNT(*) FROM svc_trips WHERE slug = :slug AND id <> :own",
                              {{"slug", slug}, {"own", own}}) > 0;
    };
    if (!taken(wished))
        return wished;
    // Doubling, then halving: the number of copies of one title is not bounded.
    std::int64_t low = 1, high = 2;
    const auto numbered = [&](std::int64_t number) { return text::numbered_slug(wished, number); };
    while (taken(numbered(high))) {
        low = high;
        high *= 2;
    }
    while (high - low > 1) {
        const auto middle = low + (high - low) / 2;
        (taken(numbered(middle)) ? low : high) = middle;
    }
    return numbered(high);
}

std::int64_t insert(store::Transaction& tx, const Trip& trip) {
    auto params = values_of(trip);
    params.emplace_back("created_at", trip.created_at);
    params.emplace_back("created_by", trip.created_by);
    return tx.insert("INSERT INTO svc_trips (" SVC_TRIP_WRITTEN(SVC_COLUMN_NAME)  //
                     "title_folded, row_version, created_at, created_by)"
                     " VALUES (" SVC_TRIP_WRITTEN(SVC_COLUMN_VALUE)  //
                     ":title_folded, 1, :created_at, :created_by) RETURNING id",
                     params);
}

bool update(store::Transaction& tx, const Trip& trip) {
    auto params = values_of(trip);
    params.emplace_back("id", trip.id);
    params.emplace_back("row_version", trip.row_version);
    return tx.run("UPDATE svc_trips SET " SVC_TRIP_WRITTEN(SVC_COLUMN_SET)  //
                  "title_folded = :title_folded, row_version = row_version + 1,"
                  " deleted_at = NULL, deleted_by = NULL WHERE id = :id AND row_version = :row_version",
                  params) == 1;
}

void touch(store::Transaction& tx, std::int64_t id, std::optional<std::int64_t> user_id, Instant now) {
    tx.run(
        "UPDATE svc_trips SET row_version = row_version + 1,"
        " version = version + CASE WHEN status = 'publish' THEN 1 ELSE 0 END, updated_at = :now,"
        " updated_by = COALESCE(:user_id, updated_by) WHERE id = :id",
        {{"id", id}, {"user_id", user_id}, {"now", now}});
}

void add_views(store::Transaction& tx, std::int64_t id, Date day, std::int64_t views, Instant now) {
    const store::Params params{{"id", id}, {"day", day}, {"views", views}, {"now", now}};
    if (tx.run("INSERT INTO svc_trip_views (trip_id, day, views) SELECT id, :day, :views FROM svc_trips WHERE id = :id"
               " ON CONFLICT (trip_id, day) DO UPDATE SET views = svc_trip_views.views + excluded.views",
               params) > 0)
        tx.run(
            "UPDATE svc_trips SET last_viewed_at = :now, counts_version = counts_version + 1, views_count ="
            " (SELECT CAST(SUM(views) AS BIGINT) FROM svc_trip_views WHERE trip_id = :id) WHERE id = :id",
            params);
}

bool set_sales(store::Transaction& tx, std::int64_t id, const TripSales& sales) {
    return tx.run(
               "UPDATE svc_trips SET bookings_count = :bookings, revenue_total_minor = :revenue,"
               " last_booked_at = :last, counts_version = counts_version + 1 WHERE id = :id"
               " AND (bookings_count <> :bookings OR revenue_total_minor <> :revenue"
               " OR COALESCE(last_booked_at, -1) <> COALESCE(:last, -1))",
               {{"id", id},
                {"bookings", sales.bookings},
                {"revenue", sales.revenue_minor},
                {"last", sales.last_booked_at}}) == 1;
}

bool trash(store::Transaction& tx, const Trip& trip, std::optional<std::int64_t> user_id, Instant now) {
    return tx.run(
               "UPDATE svc_trips SET status = 'trash', status_before_trash = :before, deleted_at = :deleted_at,"
               " deleted_by = :deleted_by, updated_at = :updated_at, updated_by = :updated_by,"
               " row_version = row_version + 1 WHERE id = :id AND row_version = :row_version",
               {{"before", name_of(trip.status)},
                {"deleted_at", now},
                {"deleted_by", user_id},
                {"updated_at", now},
                {"updated_by", user_id},
                {"id", trip.id},
                {"row_version", trip.row_version}}) == 1;
}

void remove(store::Transaction& tx, std::int64_t id) { tx.run("DELETE FROM svc_trips WHERE id = :id", {{"id", id}}); }

}  // namespace svc::catalog::trips::rows
