// Statements on svc_departures.
#include "base/availability/repository.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>

#include "base/availability/columns.hpp"
#include "shared/core/text.hpp"
#include "shared/store/like.hpp"

namespace svc::availability::rows {
namespace {

#define SVC_DEPARTURE_COLUMNS                                                                                \
    "d.id, d.trip_id, d.revision, d.origin, d.sale_state, d.status, d.start_date, d.end_date, d.start_time," \
    " d.capacity, d.booked_count, d.currency, d.regular_price_minor, d.sale_price_minor, d.cutoff_date,"     \
    " d.cutoff_hours, d.notes, d.row_version, d.created_at, d.updated_at, t.title, t.slug"                   \
    " FROM svc_departures d JOIN svc_trips t ON t.id = d.trip_id"
constexpr store::Columns departure_types = "iiittttttiitiititiiitt";

#define SVC_DEPARTURE_FILTER                                                                                 \
    " WHERE (:trip_any = 1 OR d.trip_id = :trip_id)"                                                         \
    " AND (:availability = '' OR (:availability = 'available' AND d.booked_count = 0)"                       \
    "  OR (:availability = 'partial' AND d.booked_count > 0 AND d.booked_count < d.capacity)"                \
    "  OR (:availability = 'full' AND d.booked_count >= d.capacity))"                                        \
    " AND (:searching = 0 OR d.start_date LIKE :pattern ESCAPE '\\' OR d.end_date LIKE :pattern ESCAPE '\\'" \
    "  OR d.notes_folded LIKE :pattern ESCAPE '\\')"                                                         \
    " AND (:origin = '' OR d.origin = :origin)"                                                              \
    " AND d.start_date >= :from AND d.start_date <= :to"                                                     \
    " AND (:include_past = 1 OR d.end_date >= :today)"
#define SVC_DEPARTURE_STATUS                                                                            \
    " AND ((:status = '' AND d.status <> 'trash')"                                                      \
    "  OR (:status = 'upcoming' AND d.start_date >= :today AND d.status NOT IN ('cancelled', 'trash'))" \
    "  OR (:status <> 'upcoming' AND d.status = :status))"
#define SVC_DEPARTURE_LIST(order)                                                                \
    "SELECT " SVC_DEPARTURE_COLUMNS SVC_DEPARTURE_FILTER SVC_DEPARTURE_STATUS " ORDER BY " order \
    " LIMIT :limit OFFSET :offset"

struct Order {
    std::string_view key, ascending, descending;
};
#define SVC_DEPARTURE_TIME "COALESCE(d.start_time, '')"
#define SVC_DEPARTURE_ORDER(key, column) \
    Order { key, SVC_DEPARTURE_LIST(column ", d.id"), SVC_DEPARTURE_LIST(column " DESC, d.id DESC") }
constexpr std::array orders{
    Order{"start_date", SVC_DEPARTURE_LIST("d.start_date, " SVC_DEPARTURE_TIME ", d.id"),
          SVC_DEPARTURE_LIST("d.start_date DESC, " SVC_DEPARTURE_TIME " DESC, d.id DESC")},
    Order{"id", SVC_DEPARTURE_LIST("d.id"), SVC_DEPARTURE_LIST("d.id DESC")},
    SVC_DEPARTURE_ORDER("status", "d.status"),
    SVC_DEPARTURE_ORDER("booked_count", "d.booked_count"),
};

Departure read(const store::Row& row) {
    Departure departure;
    read_slot(row, departure);
    departure.currency = Currency::parse(row.text(11)).value();
    departure.notes = row.text(16);
    departure.row_version = row.integer(17);
    departure.created_at = row.instant(18);
    departure.updated_at = row.instant(19);
    departure.trip_title = row.text(20);
    departure.trip_slug = row.text(21);
    return departure;
}

store::Params filter_of(const DepartureQuery& query, bool with_status) {
    store::Params params{{"trip_any", !query.trip_id},
                         {"trip_id", query.trip_id.value_or(0)},
                         {"availability", query.availability},
                         {"searching", !query.search.empty()},
                         {"pattern", store::like_contains(text::folded(query.search))},
                         {"origin", query.origin ? name_of(*query.origin) : std::string_view{}},
                         {"from", query.from.value_or(Date::from(1, 1, 1))},
                         {"to", query.to.value_or(Date::from(9999, 12, 31))},
                         {"include_past", query.include_past},
                         {"today", query.today}};
    if (with_status)
        params.emplace_back("status", query.status == "all" ? std::string() : query.status);
    return params;
}

// The values that an INSERT and an UPDATE share.
store::Params values_of(const Departure& departure) {
    const auto minor = [](const std::optional<Money>& money) {
        return money ? std::optional(money->minor()) : std::nullopt;
    };
    return {
        {"trip_id", departure.trip_id},
        {"start_date", departure.start_date},
        {"end_date", departure.end_date},
        {"start_time", departure.time},
        {"capacity", departure.capacity},
        {"sale_state", name_of(departure.sale_state)},
        {"currency", departure.currency.code()},
        {"regular", minor(departure.regular_price)},
        {"sale", minor(departure.sale_price)},
        {"cutoff_date", departure.cutoff_date},
        {"cutoff_hours", departure.cutoff_hours ? std::optional<std::int64_t>(*departure.cutoff_hours) : std::nullopt},
        {"notes", departure.notes},
        {"notes_folded", text::folded(departure.notes)},
        {"updated_at", departure.updated_at}};
}

#define SVC_DEPARTURE_INSERT                                                                                          \
    "INSERT INTO svc_departures (trip_id, origin, start_date, end_date, start_time, capacity, booked_count,"          \
    " sale_state, status, currency, regular_price_minor, sale_price_minor, cutoff_date, cutoff_hours, notes,"         \
    " notes_folded, row_version, revision, created_at, updated_at, created_by, updated_by)"                           \
    " VALUES (:trip_id, :origin, :start_date, :end_date, :start_time, :capacity, 0, :sale_state, :status, :currency," \
    " :regular, :sale, :cutoff_date, :cutoff_hours, :notes, :notes_folded, 1, 1, :updated_at, :updated_at, :user_id," \
    " :user_id)"

store::Params insert_values(const Departure& departure, std::optional<std::int64_t> user_id) {
    auto params = values_of(departure);
    params.emplace_back("origin", name_of(departure.origin));
    params.emplace_back("status", name_of(departure.status));
    params.emplace_back("user_id", user_id);
    return params;
}

}  // namespace

std::optional<Departure> find(store::Session& session, std::int64_t id) {
    return session.first<Departure>("SELECT " SVC_DEPARTURE_COLUMNS " WHERE d.id = :id", departure_types, {{"id", id}},
                                    read);
}

std::vector<Departure> list(store::Session& session, const DepartureQuery& query) {
    const auto* order =
        std::find_if(orders.begin(), orders.end(), [&](const Order& each) { return each.key == query.order_by; });
    if (order == orders.end())
        throw std::logic_error("departures have no such order: " + query.order_by);
    auto params = filter_of(query, true);
    params.emplace_back("limit", query.limit);
    params.emplace_back("offset", query.offset);
    return session.all<Departure>(query.ascending ? order->ascending : order->descending, departure_types, params,
                                  read);
}

std::int64_t count(store::Session& session, const DepartureQuery& query) {
    return session.number("SELECT COUNT(*) FROM svc_departures d" SVC_DEPARTURE_FILTER SVC_DEPARTURE_STATUS,
                          filter_of(query, true));
}

TabCounts counts(store::Session& session, const DepartureQuery& query) {
    TabCounts counts;
    session.each(
        "SELECT d.status, CASE WHEN d.start_date >= :today THEN 1 ELSE 0 END, COUNT(*)"
        " FROM svc_departures d" SVC_DEPARTURE_FILTER " GROUP BY 1, 2",
        "tii", filter_of(query, false), [&](const store::Row& row) {
            const Status status = status_of(row.text(0)).value();
            const std::int64_t number = row.integer(2);
            if (status == Status::trash) {
                counts.trash += number;
                return;
            }
            counts.all += number;
            if (status == Status::cancelled)
                counts.cancelled += number;
            else if (row.flag(1))
                counts.upcoming += number;
            if (status == Status::full)
                counts.full += number;
            if (status == Status::past)
                counts.past += number;
        });
    return counts;
}

std::vector<Slot> on_date(store::Session& session, std::int64_t trip_id, Date date) {
    return session.all<Slot>("SELECT " SVC_SLOT_COLUMNS
                             " FROM svc_departures WHERE trip_id = :trip_id AND start_date = :date"
                             " AND deleted_at IS NULL ORDER BY id",
                             slot_types, {{"trip_id", trip_id}, {"date", date}}, slot_of);
}

bool is_planned(store::Session& session, std::int64_t trip_id) {
    return session.number(
               "SELECT COUNT(*) FROM (SELECT 1 FROM svc_departures WHERE trip_id = :trip_id"
               " AND origin IN ('fixed', 'manual') AND deleted_at IS NULL LIMIT 1) AS planned",
               {{"trip_id", trip_id}}) != 0;
}

std::vector<Slot> current(store::Session& session, Date first) {
    return session.all<Slot>(
        "SELECT " SVC_SLOT_COLUMNS
        " FROM svc_departures WHERE end_date >= :first AND deleted_at IS NULL ORDER BY trip_id, id",
        slot_types, {{"first", first}}, slot_of);
}

std::vector<Slot> of_trip(store::Session& session, std::int64_t trip_id, Date first) {
    return session.all<Slot>("SELECT " SVC_SLOT_COLUMNS
                             " FROM svc_departures WHERE trip_id = :trip_id AND end_date >= :first"
                             " AND deleted_at IS NULL ORDER BY id",
                             slot_types, {{"trip_id", trip_id}, {"first", first}}, slot_of);
}

std::vector<std::int64_t> planned_trips(store::Session& session) {
    return session.all<std::int64_t>(
        "SELECT DISTINCT trip_id FROM svc_departures WHERE origin IN ('fixed', 'manual') AND deleted_at IS NULL", "i",
        {}, [](const store::Row& row) { return row.integer(0); });
}

std::vector<std::pair<Slot, Instant>> changed_since(store::Session& session, Instant since) {
    return session.all<std::pair<Slot, Instant>>(
        "SELECT " SVC_SLOT_COLUMNS ", updated_at FROM svc_departures WHERE updated_at >= :since", "iiittttttiitiitii",
        {{"since", since}}, [](const store::Row& row) { return std::pair(slot_of(row), row.instant(16)); });
}

std::optional<Slot> slot(store::Session& session, std::int64_t id) {
    return session.first<Slot>("SELECT " SVC_SLOT_COLUMNS " FROM svc_departures WHERE id = :id", slot_types,
                               {{"id", id}}, slot_of);
}

std::int64_t insert(store::Transaction& tx, const Departure& departure, std::optional<std::int64_t> user_id) {
    return tx.insert(SVC_DEPARTURE_INSERT " RETURNING id", insert_values(departure, user_id));
}

std::optional<Slot> insert_unless_there(store::Transaction& tx, const Departure& departure) {
    return tx.first<Slot>(SVC_DEPARTURE_INSERT
                          " ON CONFLICT (trip_id, start_date, COALESCE(start_time, '')) WHERE deleted_at IS NULL"
                          " DO NOTHING RETURNING " SVC_SLOT_COLUMNS,
                          slot_types, insert_values(departure, std::nullopt), slot_of);
}

bool update(store::Transaction& tx, const Departure& departure, bool moved, Date today,
            std::optional<std::int64_t> user_id) {
    auto params = values_of(departure);
    params.emplace_back("id", departure.id);
    params.emplace_back("row_version", departure.row_version);
    params.emplace_back("moved", moved);
    params.emplace_back("cancelled", departure.status == Status::cancelled);
    params.emplace_back("today", today);
    params.emplace_back("user_id", user_id);
    return tx.run(
               "UPDATE svc_departures SET trip_id = :trip_id, start_date = :start_date, end_date = :end_date,"
               " start_time = :start_time, capacity = :capacity, sale_state = :sale_state, currency = :currency,"
               " regular_price_minor = :regular, sale_price_minor = :sale, cutoff_date = :cutoff_date,"
               " cutoff_hours = :cutoff_hours, notes = :notes, notes_folded = :notes_folded,"
               " status = CASE WHEN :cancelled = 1 THEN 'cancelled' WHEN :end_date < :today THEN 'past'"
               " WHEN booked_count >= :capacity THEN 'full' ELSE 'upcoming' END,"
               " row_version = row_version + 1, revision = revision + 1, updated_at = :updated_at,"
               " updated_by = :user_id, deleted_at = NULL, deleted_by = NULL"
               " WHERE id = :id AND row_version = :row_version AND booked_count <= :capacity"
               " AND (:moved = 0 OR booked_count = 0)",
               params) == 1;
}

bool trash(store::Transaction& tx, std::int64_t id, std::optional<std::int64_t> user_id, Instant now) {
    return tx.run(
               "UPDATE svc_departures SET status = 'trash', deleted_at = :now, deleted_by = :user_id,"
               " updated_at = :now, updated_by = :user_id, row_version = row_version + 1, revision = revision + 1"
               " WHERE id = :id AND deleted_at IS NULL AND booked_count = 0",
               {{"id", id}, {"user_id", user_id}, {"now", now}}) == 1;
}

bool remove_all(store::Transaction& tx, std::int64_t trip_id) {
    if (tx.number("SELECT COUNT(*) FROM svc_booking_departures l JOIN svc_departures d ON d.id = l.departure_id"
                  " WHERE d.trip_id = :trip_id",
                  {{"trip_id", trip_id}}) > 0)
        return false;
    if (tx.number("SELECT COUNT(*) FROM svc_waitlist w JOIN svc_departures d ON d.id = w.departure_id"
                  " WHERE d.trip_id = :trip_id",
                  {{"trip_id", trip_id}}) > 0)
        return false;
    tx.run("DELETE FROM svc_calendar_feeds WHERE trip_id = :trip_id", {{"trip_id", trip_id}});
    tx.run("DELETE FROM svc_departures WHERE trip_id = :trip_id", {{"trip_id", trip_id}});
    return true;
}

}  // namespace svc::availability::rows
