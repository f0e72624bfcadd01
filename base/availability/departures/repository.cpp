// Statements that write svc_departures.
#include "base/availability/record/departure_rows.hpp"
#include "base/availability/record/slot_rows.hpp"
#include "shared/core/words.hpp"

namespace svc::availability::rows {
namespace {

using catalog::trips::Place;

std::optional<std::int64_t> angle(const std::optional<Place>& place, catalog::trips::Degrees Place::*which) {
    return place ? std::optional(((*place).*which).e7) : std::nullopt;
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
        {"rule_id", departure.rule_id},
        {"cutoff_hours", departure.cutoff_hours ? std::optional<std::int64_t>(*departure.cutoff_hours) : std::nullopt},
        {"notes", departure.notes},
        {"notes_folded", text::search_key(departure.notes)},
        {"arrival_time", departure.arrival_time},
        {"return_date", departure.return_date},
        {"capacity_override", departure.may_be_overbooked},
        {"block_reason", departure.block_reason},
        {"pricing_type", pricing_type_of(departure.traveler_based)},
        {"alert_threshold", departure.alert_threshold},
        {"from_location", departure.from_location},
        {"to_location", departure.to_location},
        {"pickup_location", departure.pickup_location},
        {"dropoff_location", departure.dropoff_location},
        {"places_folded", text::search_key(departure.from_location + "\n" + departure.to_location)},
        {"from_latitude", angle(departure.from_place, &Place::latitude)},
        {"from_longitude", angle(departure.from_place, &Place::longitude)},
        {"to_latitude", angle(departure.to_place, &Place::latitude)},
        {"to_longitude", angle(departure.to_place, &Place::longitude)},
        {"guide_user_id", departure.guide_user_id},
        {"equipment_included", departure.equipment_included},
        {"special_notes", departure.special_notes},
        {"updated_at", departure.updated_at}};
}

#define SVC_DEPARTURE_INSERT                                                                                       \
    "INSERT INTO svc_departures (trip_id, origin, start_date, end_date, start_time, arrival_time, return_date,"    \
    " capacity, capacity_override, booked_count, sale_state, block_reason, status, pricing_type, currency,"        \
    " regular_price_minor, sale_price_minor, cutoff_date, cutoff_hours, rule_id, alert_threshold, from_location, " \
    "to_location,"                                                                                                 \
    " pickup_location, dropoff_location, places_folded, from_latitude, from_longitude, to_latitude, to_longitude," \
    " guide_user_id, equipment_included, special_notes, notes, notes_folded, row_version, revision, created_at,"   \
    " updated_at, created_by, updated_by)"                                                                         \
    " VALUES (:trip_id, :origin, :start_date, :end_date, :start_time, :arrival_time, :return_date, :capacity,"     \
    " :capacity_override, 0, :sale_state, :block_reason, :status, :pricing_type, :currency, :regular, :sale,"      \
    " :cutoff_date, :cutoff_hours, :rule_id, :alert_threshold, :from_location, :to_location, :pickup_location,"    \
    " :dropoff_location, :places_folded, :from_latitude, :from_longitude, :to_latitude, :to_longitude,"            \
    " :guide_user_id, :equipment_included, :special_notes, :notes, :notes_folded, 1, 1, :updated_at, :updated_at," \
    " :user_id, :user_id)"

store::Params insert_values(const Departure& departure, std::optional<std::int64_t> user_id) {
    auto params = values_of(departure);
    params.emplace_back("origin", name_of(departure.origin));
    params.emplace_back("status", name_of(departure.status));
    params.emplace_back("user_id", user_id);
    return params;
}

}  // namespace

std::int64_t insert(store::Transaction& tx, const Departure& departure, std::optional<std::int64_t> user_id) {
    return tx.insert(SVC_DEPARTURE_INSERT " RETURNING id", insert_values(departure, user_id));
}

std::optional<Slot> insert_unless_there(store::Transaction& tx, const Departure& departure) {
    return tx.first<Slot>(SVC_DEPARTURE_INSERT
                          " ON CONFLICT (trip_id, start_date, COALESCE(start_time, '')) WHERE deleted_at IS NULL"
                          " DO NOTHING RETURNING " SVC_SLOT_COLUMNS,
                          slot_types, insert_values(departure, std::nullopt), slot_of);
}

bool update(store::Transaction& tx, const Departure& departure, bool other_trip, Date today,
            std::optional<std::int64_t> user_id) {
    auto params = values_of(departure);
    params.emplace_back("id", departure.id);
    params.emplace_back("row_version", departure.row_version);
    params.emplace_back("other_trip", other_trip);
    params.emplace_back("cancelled", departure.status == Status::cancelled);
    params.emplace_back("today", today);
    params.emplace_back("user_id", user_id);
    return tx.run(
               "UPDATE svc_departures SET trip_id = :trip_id, start_date = :start_date, end_date = :end_date,"
               " start_time = :start_time, arrival_time = :arrival_time, return_date = :return_date,"
               " capacity = :capacity,"
               " capacity_override = CASE WHEN :capacity_override = 1 OR booked_count > :capacity THEN 1 ELSE 0 END,"
               " overbooked_by_force = CASE WHEN :capacity_override = 1 OR booked_count <= :capacity THEN 0"
               " ELSE 1 END, sale_state = :sale_state,"
               " block_reason = :block_reason, pricing_type = :pricing_type, currency = :currency,"
               " regular_price_minor = :regular, sale_price_minor = :sale, cutoff_date = :cutoff_date,"
               " cutoff_hours = :cutoff_hours, alert_threshold = :alert_threshold,"
               " alert_state = CASE WHEN :capacity - booked_count > :alert_threshold THEN 0 ELSE alert_state END,"
               " from_location = :from_location, to_location = :to_location, pickup_location = :pickup_location,"
               " dropoff_location = :dropoff_location, places_folded = :places_folded,"
               " from_latitude = :from_latitude, from_longitude = :from_longitude, to_latitude = :to_latitude,"
               " to_longitude = :to_longitude, guide_user_id = :guide_user_id,"
               " equipment_included = :equipment_included, special_notes = :special_notes, notes = :notes,"
               " notes_folded = :notes_folded,"
               " status = CASE WHEN :cancelled = 1 THEN 'cancelled' WHEN :end_date < :today THEN 'past'"
               " WHEN booked_count >= :capacity THEN 'full' ELSE 'upcoming' END,"
               " row_version = row_version + 1, revision = revision + 1, updated_at = :updated_at,"
               " updated_by = :user_id, deleted_at = NULL, deleted_by = NULL"
               " WHERE id = :id AND row_version = :row_version"
               " AND (booked_count <= :capacity OR :capacity_override = 1"
               " OR (overbooked_by_force = 1 AND capacity <= :capacity)) AND (:other_trip = 0 OR booked_count = 0)",
               params) == 1;
}

void keep_planned(store::Transaction& tx, std::int64_t trip_id) {
    tx.run("INSERT INTO svc_planned_trips (trip_id) VALUES (:trip_id) ON CONFLICT (trip_id) DO NOTHING",
           {{"trip_id", trip_id}});
}

void set_prices(store::Transaction& tx, const Departure& departure) {
    tx.run("DELETE FROM svc_departure_prices WHERE departure_id = :id", {{"id", departure.id}});
    for (const CategoryPrice& price : departure.prices)
        tx.run(
            "INSERT INTO svc_departure_prices (departure_id, category_id, regular_price_minor, sale_price_minor)"
            " VALUES (:id, :category_id, :regular, :lowered)",
            {{"id", departure.id},
             {"category_id", price.category_id},
             {"regular", price.regular.minor()},
             {"lowered", price.lowered ? std::optional(price.lowered->minor()) : std::nullopt}});
}

bool is_category(store::Session& session, std::int64_t category_id) {
    return session.number(
               "SELECT COUNT(*) FROM svc_classifications WHERE id = :id AND type = 'traveler_type'"
               " AND status <> 'trash'",
               {{"id", category_id}}) == 1;
}

bool is_user(store::Session& session, std::int64_t user_id) {
    return session.number("SELECT COUNT(*) FROM svc_users WHERE id = :id", {{"id", user_id}}) == 1;
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
