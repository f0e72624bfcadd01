// Statements that write svc_departures.
#include "base/sales/availability/departures/repository.hpp"

#include "base/sales/availability/record/departure_record.hpp"
#include "shared/store/read_rows.hpp"

namespace svc::availability::rows {

bool update(store::Transaction& tx, const Departure& departure, bool other_trip, Date today,
            std::optional<std::int64_t> user_id) {
    auto params = departure_record().params_of(&departure);
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
               " regular_price_minor = :regular_price_minor, sale_price_minor = :sale_price_minor, cutoff_date = "
               ":cutoff_date,"
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

std::vector<Guide> guides(store::Session& session) {
    return store::all_rows(
        session,
        "SELECT u.id, u.login, u.display_name, u.first_name, u.last_name FROM svc_users u"
        " JOIN svc_roles r ON r.id = u.role_id WHERE r.slug = 'guide' AND u.status = 'active' ORDER BY u.login_lower",
        {},
        [](std::int64_t id, const std::string& login, const std::string& shown, const std::string& first,
           const std::string& last) {
            const std::string full = first + (first.empty() || last.empty() ? "" : " ") + last;
            return Guide{id, !full.empty() ? full : !shown.empty() ? shown : login};
        });
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

std::vector<Link> links(store::Session& session, std::int64_t least, std::int64_t most) {
    return store::all_rows(
        session,
        "SELECT departure_id, booking_id FROM svc_booking_departures"
        " WHERE released_at IS NULL AND departure_id BETWEEN :least AND :most ORDER BY departure_id, booking_id",
        {{"least", least}, {"most", most}}, [](std::int64_t departure_id, std::int64_t booking_id) {
            return Link{departure_id, booking_id};
        });
}

std::vector<Date> days(store::Session& session, std::optional<std::int64_t> trip_id) {
    return store::all_rows(session,
                           "SELECT start_date FROM svc_departures WHERE (:any = 1 OR trip_id = :trip_id)"
                           " UNION SELECT end_date FROM svc_departures WHERE (:any = 1 OR trip_id = :trip_id)",
                           {{"any", !trip_id}, {"trip_id", trip_id.value_or(0)}}, [](Date day) { return day; });
}

}  // namespace svc::availability::rows
