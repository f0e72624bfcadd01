// Statements that read whole departures.
#include "base/availability/record/departure_rows.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <stdexcept>
#include <unordered_map>

#include "base/availability/record/slot_rows.hpp"
#include "shared/core/words.hpp"
#include "shared/store/like.hpp"

namespace svc::availability::rows {
namespace {

using catalog::trips::Place;

#define SVC_DEPARTURE_COLUMNS                                                                                    \
    "d.id, d.trip_id, d.revision, d.origin, d.sale_state, d.status, d.start_date, d.end_date, d.start_time,"     \
    " d.capacity, d.booked_count, d.currency, d.regular_price_minor, d.sale_price_minor, d.cutoff_date,"         \
    " d.cutoff_hours, d.capacity_override - d.overbooked_by_force, d.rule_id, d.pricing_type, d.waiting_seats, " \
    "d.notes, d.row_version, "                                                                                   \
    "d.created_at, "                                                                                             \
    "d.updated_at, t.title,"                                                                                     \
    " t.slug, d.arrival_time, d.return_date, d.block_reason, d.alert_threshold,"                                 \
    " d.from_location, d.to_location, d.pickup_location, d.dropoff_location, d.from_latitude,"                   \
    " d.from_longitude, d.to_latitude, d.to_longitude, d.guide_user_id, d.equipment_included, d.special_notes,"  \
    " (SELECT j.last_finished_at FROM svc_jobs j WHERE j.name = 'seat_audit' AND j.last_status <> 'failed'),"    \
    " t.starting_location, CASE WHEN t.status = 'trash' THEN 1 ELSE 0 END,"                                      \
    " CASE WHEN t.status IN ('draft', 'review', 'approved') THEN 1 ELSE 0 END, t.row_version, t.updated_at"      \
    " FROM svc_departures d JOIN svc_trips t ON t.id = d.trip_id"
// The columns of a slot, then those that only a departure has.
constexpr store::Columns departure_types = SVC_SLOT_TYPES
    "tiiitt"
    "tttitttt"
    "iiiiittitiiii";
constexpr std::size_t first_own = slot_types.size();

// As sale_status of departure.hpp says.
#define SVC_SALE_STATUS                                                                               \
    "CASE WHEN d.status = 'cancelled' THEN 'cancelled' WHEN d.sale_state <> 'open' THEN d.sale_state" \
    " WHEN d.booked_count >= d.capacity THEN 'sold_out'"                                              \
    " WHEN d.capacity - d.booked_count <= (d.capacity + 4) / 5 THEN 'limited' ELSE 'available' END"

#define SVC_DEPARTURE_FILTER                                                                                 \
    " WHERE (:trip_any = 1 OR d.trip_id = :trip_id)"                                                         \
    " AND (:availability = '' OR (:availability = 'available' AND d.booked_count = 0)"                       \
    "  OR (:availability = 'partial' AND d.booked_count > 0 AND d.booked_count < d.capacity)"                \
    "  OR (:availability = 'full' AND d.booked_count >= d.capacity))"                                        \
    " AND (:searching = 0 OR d.start_date LIKE :pattern ESCAPE '\\' OR d.end_date LIKE :pattern ESCAPE '\\'" \
    "  OR CASE WHEN :in_places = 1 THEN d.places_folded ELSE d.notes_folded END LIKE :pattern ESCAPE '\\'"   \
    "  OR :site_dates LIKE '%' || d.start_date || '%' OR :site_dates LIKE '%' || d.end_date || '%')"         \
    " AND (:sale_status = '' OR " SVC_SALE_STATUS                                                            \
    " = :sale_status)"                                                                                       \
    " AND (:origin = '' OR d.origin = :origin)"                                                              \
    " AND (:guide_any = 1 OR d.guide_user_id = :guide_id)"                                                   \
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
const std::array orders{
    Order{"start_date", SVC_DEPARTURE_LIST("d.start_date, " SVC_DEPARTURE_TIME ", d.id"),
          SVC_DEPARTURE_LIST("d.start_date DESC, " SVC_DEPARTURE_TIME " DESC, d.id DESC")},
    Order{"id", SVC_DEPARTURE_LIST("d.id"), SVC_DEPARTURE_LIST("d.id DESC")},
    SVC_DEPARTURE_ORDER("status", "d.status"),
    SVC_DEPARTURE_ORDER("booked_count", "d.booked_count"),
    SVC_DEPARTURE_ORDER("sale_status", SVC_SALE_STATUS),
    SVC_DEPARTURE_ORDER("seats_available", "d.capacity - d.booked_count"),
};

std::optional<catalog::trips::Place> place_of(const store::Row& row, std::size_t column) {
    if (row.is_null(column))
        return std::nullopt;
    return catalog::trips::Place{{row.integer(column)}, {row.integer(column + 1)}};
}

Departure read(const store::Row& row) {
    Departure departure;
    read_slot(row, departure);
    std::size_t at = first_own;
    departure.currency = Currency::parse(row.text(11)).value();
    departure.notes = row.text(at++);
    departure.row_version = row.integer(at++);
    departure.created_at = row.instant(at++);
    departure.updated_at = row.instant(at++);
    departure.trip_title = row.text(at++);
    departure.trip_slug = row.text(at++);
    if (const auto time = row.maybe_text(at++))
        departure.arrival_time = ClockTime::parse(*time);
    departure.return_date = row.maybe_date(at++);
    departure.block_reason = row.text(at++);
    departure.alert_threshold = static_cast<int>(row.integer(at++));
    departure.from_location = row.text(at++);
    departure.to_location = row.text(at++);
    departure.pickup_location = row.text(at++);
    departure.dropoff_location = row.text(at++);
    departure.from_place = place_of(row, at);
    departure.to_place = place_of(row, at + 2);
    at += 4;
    departure.guide_user_id = row.maybe_integer(at++);
    departure.equipment_included = row.text(at++);
    departure.special_notes = row.text(at++);
    // One that was made since began in step.
    departure.synced_at = row.maybe_instant(at++);
    if (departure.synced_at && *departure.synced_at < departure.created_at)
        departure.synced_at = departure.created_at;
    departure.trip_start = row.text(at++);
    departure.trip_in_trash = row.flag(at++);
    departure.trip_unpublished = row.flag(at++);
    departure.trip_version = row.integer(at++);
    departure.trip_changed_at = row.instant(at++);
    return departure;
}

// The category prices of departures with ids from `least` to `most`, given to whom `of` names.
void add_prices(store::Session& session, std::int64_t least, std::int64_t most,
                const std::function<Departure*(std::int64_t id)>& of) {
    session.each(
        "SELECT departure_id, category_id, regular_price_minor, sale_price_minor FROM svc_departure_prices"
        " WHERE departure_id BETWEEN :least AND :most ORDER BY departure_id, category_id",
        "iiii", {{"least", least}, {"most", most}}, [&](const store::Row& row) {
            Departure* departure = of(row.integer(0));
            if (!departure)
                return;
            CategoryPrice price{row.integer(1), Money{row.integer(2), departure->currency}, {}};
            if (!row.is_null(3))
                price.lowered = Money{row.integer(3), departure->currency};
            departure->prices.push_back(price);
        });
}

store::Params filter_of(const DepartureQuery& query, bool with_status) {
    store::Params params{{"trip_any", !query.trip_id},
                         {"trip_id", query.trip_id.value_or(0)},
                         {"availability", query.availability},
                         {"searching", !query.search.empty()},
                         {"pattern", store::like_contains(text::search_key(query.search))},
                         {"in_places", query.in_places},
                         {"site_dates", query.site_dates},
                         {"sale_status", query.sale_status},
                         {"origin", query.origin ? name_of(*query.origin) : std::string_view{}},
                         {"guide_any", !query.guide_id},
                         {"guide_id", query.guide_id.value_or(0)},
                         {"from", query.from.value_or(Date::from(1, 1, 1))},
                         {"to", query.to.value_or(Date::from(9999, 12, 31))},
                         {"include_past", query.include_past},
                         {"today", query.today}};
    if (with_status)
        params.emplace_back("status", query.status == "all" ? std::string() : query.status);
    return params;
}

}  // namespace

std::optional<Departure> find(store::Session& session, std::int64_t id) {
    auto found = session.first<Departure>("SELECT " SVC_DEPARTURE_COLUMNS " WHERE d.id = :id", departure_types,
                                          {{"id", id}}, read);
    if (found)
        add_prices(session, id, id, [&](std::int64_t) { return &*found; });
    return found;
}

std::vector<Departure> list(store::Session& session, const DepartureQuery& query) {
    const auto* order =
        std::find_if(orders.begin(), orders.end(), [&](const Order& each) { return each.key == query.order_by; });
    if (order == orders.end())
        throw std::logic_error("departures have no such order: " + query.order_by);
    auto params = filter_of(query, true);
    params.emplace_back("limit", query.limit);
    params.emplace_back("offset", query.offset);
    auto found =
        session.all<Departure>(query.ascending ? order->ascending : order->descending, departure_types, params, read);
    if (found.empty())
        return found;
    std::unordered_map<std::int64_t, Departure*> by_id;
    std::int64_t least = found.front().id, most = least;
    for (Departure& each : found) {
        by_id.emplace(each.id, &each);
        least = std::min(least, each.id);
        most = std::max(most, each.id);
    }
    add_prices(session, least, most, [&](std::int64_t id) {
        const auto at = by_id.find(id);
        return at == by_id.end() ? nullptr : at->second;
    });
    return found;
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

}  // namespace svc::availability::rows
