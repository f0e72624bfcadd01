// Statements on svc_trips.
#include "base/catalog/trips/record/repository.hpp"

#include <algorithm>
#include <unordered_map>

#include "base/catalog/trips/record/children.hpp"
#include "base/catalog/trips/record/trip_record.hpp"
#include "shared/core/slug.hpp"
#include "shared/store/read_rows.hpp"

namespace svc::catalog::trips::rows {
namespace {

// Checks for a period first, since created_at is stored behind a row's long texts.
#define SVC_TRIP_FILTER "WHERE ((:any_status = 1 AND r.status <> 'trash') OR r.status = :status)"
#define SVC_TRIP_MADE \
    " AND (:dated = 0 OR (r.created_at >= :from AND r.created_at < :to AND r.updated_at >= :updated_since))"

store::Params trip_filter_of(const TripQuery& query) {
    const bool any = query.status.empty() || query.status == "all";
    store::Params params{{"any_status", any}, {"status", any ? std::string() : query.status}};
    add_period(params, query.made);
    return params;
}

}  // namespace

void add_period(store::Params& params, const api::Period& period) {
    params.emplace_back("dated", period.from || period.to || period.updated_since);
    params.emplace_back("from", period.from.value_or(Instant::from_micros(INT64_MIN)));
    params.emplace_back("to", period.to.value_or(Instant::from_micros(INT64_MAX)));
    params.emplace_back("updated_since", period.updated_since.value_or(Instant::from_micros(INT64_MIN)));
}

std::optional<Trip> find(store::Session& session, std::int64_t id) {
    auto trips = trip_record().all(session, trip_record().find_statement(), {{"id", id}});
    if (trips.empty())
        return std::nullopt;
    add_children(session, trips);
    return std::move(trips.front());
}

std::vector<Trip> find_all(store::Session& session, std::span<const std::int64_t> ids) {
    static const auto statement = trip_record().select_of("r.id", "");
    auto trips = trip_record().all_of(session, statement, ids);
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

const std::vector<record::Sort>& trip_sorts() {
    static const std::vector<record::Sort> sorts{{"id", {"r.id"}},
                                                 {"title", {"r.title_folded"}},
                                                 {"price", {SVC_SHOWN_PRICE("r")}},
                                                 {"duration", {"r.duration_days"}},
                                                 {"status", {"r.status"}},
                                                 {"bookings_count", {"r.bookings_count"}},
                                                 {"avg_rating", {"r.avg_rating_hundredths"}},
                                                 {"created_at", {"r.created_at"}},
                                                 {"updated_at", {"r.updated_at"}}};
    return sorts;
}

std::vector<Trip> list(store::Session& session, const TripQuery& query) {
    static const record::Head head{trip_record().select(SVC_TRIP_FILTER SVC_TRIP_MADE)};
    static const record::Orders trip_orders{"r.id", trip_sorts()};
    auto params = trip_filter_of(query);
    params.emplace_back("limit", query.limit);
    params.emplace_back("offset", query.offset);
    auto trips = trip_record().all(session, trip_orders.page(head, query.order_by, query.ascending), params);
    add_children(session, trips);
    return trips;
}

std::int64_t count(store::Session& session, const TripQuery& query) {
    // Without a period the index on the status answers alone.
    const bool is_dated = query.made.from || query.made.to || query.made.updated_since;
    return session.number(is_dated ? "SELECT COUNT(*) FROM svc_trips r " SVC_TRIP_FILTER SVC_TRIP_MADE
                                   : "SELECT COUNT(*) FROM svc_trips r " SVC_TRIP_FILTER,
                          trip_filter_of(query));
}

TripCounts counts(store::Session& session) {
    TripCounts counts;
    for (int status = 0; status <= static_cast<int>(TripStatus::trash); ++status)
        counts.by_status.emplace_back(static_cast<TripStatus>(status), 0);
    store::each_row(session, "SELECT status, COUNT(*) FROM svc_trips GROUP BY status", {},
                    [&](const std::string& name, std::int64_t number) {
                        const auto status = trip_status(name).value();
                        counts.by_status.at(static_cast<std::size_t>(status)).second = number;
                        if (status != TripStatus::trash)
                            counts.all += number;
                    });
    return counts;
}

bool any(store::Session& session) {
    return session.number("SELECT COUNT(*) FROM (SELECT 1 FROM svc_trips LIMIT 1) AS one", {}) > 0;
}

std::vector<std::int64_t> public_ids(store::Session& session) {
    return store::numbers(session, "SELECT id FROM svc_trips WHERE status IN ('publish', 'archived') ORDER BY id", {});
}

// PostgreSQL's transactions commit in another order than they begin: the moment is the oldest one in progress. Stamps
// of transactions that have not begun come from a copied database and are ignored.
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
    return store::all_rows(
        session,
        session.dialect() == store::Dialect::sqlite ? SVC_TRIPS_CHANGED " ORDER BY change.trip_id"
                                                    : SVC_TRIPS_CHANGED
            " AND change.stamp < CAST(CAST(pg_snapshot_xmax(pg_current_snapshot()) AS TEXT) AS BIGINT)"
            " ORDER BY change.trip_id",
        {{"moment", moment}},
        [](std::int64_t id, std::int64_t stamp, std::int64_t row_version, std::int64_t counts_version, bool shown) {
            return TripVersion{id, stamp, row_version, counts_version, shown};
        });
}

std::vector<std::pair<std::int64_t, std::int64_t>> stamps(store::Session& session, std::span<const std::int64_t> ids) {
    constexpr store::ByIds known =
        SVC_BY_IDS("SELECT trip_id, stamp FROM svc_trip_changes WHERE", "trip_id", "ORDER BY trip_id");
    std::vector<std::pair<std::int64_t, std::int64_t>> all;
    all.reserve(ids.size());
    store::each_row_of(session, known, ids, [&](std::int64_t id, std::int64_t stamp) { all.emplace_back(id, stamp); });
    return all;
}

std::vector<NamedTerm> things(store::Session& session, std::string_view type) {
    return store::all_rows(session,
                           "SELECT id, name, icon, color, item_type_id FROM svc_classifications WHERE type = :type"
                           " AND status = 'publish' ORDER BY name_folded, id LIMIT 1000",
                           {{"type", type}},
                           [](std::int64_t id, const std::string& name, const std::string& icon,
                              const std::string& color, std::optional<std::int64_t> type_id) {
                               return NamedTerm{id, name, icon, color, type_id};
                           });
}

std::vector<std::int64_t> due(store::Session& session, Due what, Instant now, std::int64_t most) {
    return store::numbers(session,
                          what == Due::publish
                              ? "SELECT id FROM svc_trips WHERE scheduled_publish_at <= :now"
                                " AND status IN ('draft', 'review', 'approved')"
                                " ORDER BY scheduled_publish_at, id LIMIT :most"
                              : "SELECT id FROM svc_trips WHERE scheduled_unpublish_at <= :now AND status = 'publish'"
                                " ORDER BY scheduled_unpublish_at, id LIMIT :most",
                          {{"now", now}, {"most", most}});
}

std::vector<Season> seasons(store::Session& session) {
    return store::all_rows(
        session,
        "SELECT id, status, seasonal_enable_date, seasonal_disable_date FROM svc_trips WHERE seasonal_auto_enable = 1"
        " AND (status = 'publish' OR (status = 'archived' AND archived_by_season = 1)) ORDER BY id",
        {}, [](std::int64_t id, const std::string& status, std::optional<Date> enable, std::optional<Date> disable) {
            return Season{id, status == "publish", enable, disable};
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
    Trip stored = trip;
    trip_record().insert(tx, stored, {.user_id = trip.created_by, .now = trip.created_at});
    return stored.id;
}

bool update(store::Transaction& tx, const Trip& trip) {
    Trip changed = trip;
    changed.deleted_at.reset();
    changed.deleted_by.reset();
    return trip_record().update(tx, changed, {.user_id = trip.updated_by, .now = trip.updated_at});
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

bool set_rating(store::Transaction& tx, std::int64_t id, const TripRating& rating) {
    return tx.run(
               "UPDATE svc_trips SET reviews_count = :reviews, avg_rating_hundredths = :hundredths,"
               " counts_version = counts_version + 1 WHERE id = :id"
               " AND (reviews_count <> :reviews OR avg_rating_hundredths <> :hundredths)",
               {{"id", id}, {"reviews", rating.reviews}, {"hundredths", rating.hundredths}}) == 1;
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
