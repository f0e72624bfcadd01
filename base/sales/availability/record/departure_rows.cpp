// Statements on whole departures.
#include "base/sales/availability/record/departure_rows.hpp"

#include <algorithm>

#include "base/sales/availability/record/departure_record.hpp"
#include "base/sales/availability/record/slot_rows.hpp"
#include "shared/core/words.hpp"
#include "shared/store/like.hpp"
#include "shared/store/read_rows.hpp"

namespace svc::availability::rows {
namespace {

// Equals sale_status of departure.hpp.
#define SVC_SALE_STATUS                                                                               \
    "CASE WHEN r.status = 'cancelled' THEN 'cancelled' WHEN r.sale_state <> 'open' THEN r.sale_state" \
    " WHEN r.booked_count >= r.capacity THEN 'sold_out'"                                              \
    " WHEN r.capacity - r.booked_count <= (r.capacity + 4) / 5 THEN 'limited' ELSE 'available' END"

#define SVC_DEPARTURE_FILTER                                                                                 \
    " WHERE (:trip_any = 1 OR r.trip_id = :trip_id)"                                                         \
    " AND (:availability = '' OR (:availability = 'available' AND r.booked_count = 0)"                       \
    "  OR (:availability = 'partial' AND r.booked_count > 0 AND r.booked_count < r.capacity)"                \
    "  OR (:availability = 'full' AND r.booked_count >= r.capacity))"                                        \
    " AND (:searching = 0 OR r.start_date LIKE :pattern ESCAPE '\\' OR r.end_date LIKE :pattern ESCAPE '\\'" \
    "  OR CASE WHEN :in_places = 1 THEN r.places_folded ELSE r.notes_folded END LIKE :pattern ESCAPE '\\'"   \
    "  OR :site_dates LIKE '%' || r.start_date || '%' OR :site_dates LIKE '%' || r.end_date || '%')"         \
    " AND (:sale_status = '' OR " SVC_SALE_STATUS                                                            \
    " = :sale_status)"                                                                                       \
    " AND (:origin = '' OR r.origin = :origin)"                                                              \
    " AND (:guide_any = 1 OR r.guide_user_id = :guide_id)"                                                   \
    " AND r.start_date >= :from AND r.start_date <= :to AND r.updated_at >= :updated_since"                  \
    " AND (:include_past = 1 OR r.end_date >= :today)"
#define SVC_DEPARTURE_STATUS                                                                            \
    " AND ((:status = '' AND r.status <> 'trash')"                                                      \
    "  OR (:status = 'upcoming' AND r.start_date >= :today AND r.status NOT IN ('cancelled', 'trash'))" \
    "  OR (:status <> 'upcoming' AND r.status = :status))"

const record::Orders& orders() {
    static const record::Orders orders{"r.id",
                                       {{"start_date", {"r.start_date", "COALESCE(r.start_time, '')"}},
                                        {"id", {"r.id"}},
                                        {"status", {"r.status"}},
                                        {"booked_count", {"r.booked_count"}},
                                        {"updated_at", {"r.updated_at"}},
                                        {"sale_status", {SVC_SALE_STATUS}},
                                        {"seats_available", {"r.capacity - r.booked_count"}}}};
    return orders;
}

void add_prices(store::Session& session, std::vector<Departure>& departures) {
    each_category_price(session, departures, [](Departure& departure, CategoryPrice price) {
        departure.prices.push_back(std::move(price));
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
                         {"updated_since", query.updated_since.value_or(Instant::from_micros(INT64_MIN))},
                         {"include_past", query.include_past},
                         {"today", query.today}};
    if (with_status)
        params.emplace_back("status", query.status == "all" ? std::string() : query.status);
    return params;
}

// As an INSERT stores it.
Departure fresh_row(const Departure& departure) {
    Departure stored = departure;
    stored.row_version = stored.revision = 1;
    stored.booked = 0;
    return stored;
}

}  // namespace

std::optional<Departure> find(store::Session& session, std::int64_t id) {
    static const auto statement = departure_record().select("WHERE r.id = :id");
    auto found = departure_record().all(session, statement, {{"id", id}});
    add_prices(session, found);
    return found.empty() ? std::nullopt : std::optional(std::move(found.front()));
}

std::vector<Departure> list(store::Session& session, const DepartureQuery& query) {
    static const record::Head head{departure_record().select(SVC_DEPARTURE_FILTER SVC_DEPARTURE_STATUS)};
    auto params = filter_of(query, true);
    params.emplace_back("limit", query.limit);
    params.emplace_back("offset", query.offset);
    auto found = departure_record().all(session, orders().page(head, query.order_by, query.ascending), params);
    add_prices(session, found);
    return found;
}

std::int64_t count(store::Session& session, const DepartureQuery& query) {
    return session.number("SELECT COUNT(*) FROM svc_departures r" SVC_DEPARTURE_FILTER SVC_DEPARTURE_STATUS,
                          filter_of(query, true));
}

TabCounts counts(store::Session& session, const DepartureQuery& query) {
    TabCounts counts;
    store::each_row(session,
                    "SELECT r.status, CASE WHEN r.start_date >= :today THEN 1 ELSE 0 END, COUNT(*)"
                    " FROM svc_departures r" SVC_DEPARTURE_FILTER " GROUP BY 1, 2",
                    filter_of(query, false), [&](const std::string& name, bool is_ahead, std::int64_t number) {
                        const Status status = status_of(name).value();
                        if (status == Status::trash) {
                            counts.trash += number;
                            return;
                        }
                        counts.all += number;
                        if (status == Status::cancelled)
                            counts.cancelled += number;
                        else if (is_ahead)
                            counts.upcoming += number;
                        if (status == Status::full)
                            counts.full += number;
                        if (status == Status::past)
                            counts.past += number;
                    });
    return counts;
}

std::int64_t insert(store::Transaction& tx, const Departure& departure, std::optional<std::int64_t> user_id) {
    Departure row = fresh_row(departure);
    departure_record().insert(tx, row, {.user_id = user_id, .now = departure.created_at});
    return row.id;
}

std::optional<Slot> insert_unless_there(store::Transaction& tx, const Departure& departure) {
    static const auto statement = slot_record().returning(departure_record().plain_insert_statement(
        "ON CONFLICT (trip_id, start_date, COALESCE(start_time, '')) WHERE deleted_at IS NULL DO NOTHING"));
    const Departure row = fresh_row(departure);
    return slot_record().first(tx, statement, departure_record().params_of(&row));
}

}  // namespace svc::availability::rows
