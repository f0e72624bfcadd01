// Counts units of services from the bookings themselves: a cancelled booking gives its units back without a statement.
#include "pro/additional_services/limits.hpp"

#include "shared/store/typed.hpp"

namespace svc::pro::additional_services {

Instant Departure::begins(const Zone& zone) const { return zone.instant_of(day, time.value_or(ClockTime{})); }

std::optional<Departure> departure_of(store::Session& session, const json::Value& context) {
    const auto trip = context.maybe_integer("trip_id");
    const auto day = context["travel_date"].is_string() ? Date::parse(context["travel_date"].text()) : std::nullopt;
    if (!trip || !day)
        return std::nullopt;
    Departure departure{.trip_id = *trip, .day = *day};
    if (context["departure_time"].is_string())
        departure.time = ClockTime::parse(context["departure_time"].text());
    else if (const auto id = context.maybe_integer("availability_id")) {
        const auto time =
            store::value<std::string>(session, "SELECT start_time FROM svc_departure_v1 WHERE id = :id", {{"id", *id}});
        departure.time = time ? ClockTime::parse(*time) : std::nullopt;
    }
    return departure;
}

std::optional<Instant> closes_at(const AdditionalService& service, const Departure& departure, const Zone& zone) {
    if (!service.deadline_hours)
        return std::nullopt;
    return departure.begins(zone).minus(std::chrono::hours(*service.deadline_hours));
}

void lock_stock(store::Transaction& tx, std::int64_t service_id, const Departure& departure) {
    tx.run(
        "INSERT INTO svc_service_days (service_id, trip_id, travel_date) VALUES (:service_id, :trip_id, :day)"
        " ON CONFLICT (service_id, trip_id, travel_date) DO UPDATE SET claims = svc_service_days.claims + 1",
        {{"service_id", service_id}, {"trip_id", departure.trip_id}, {"day", departure.day}});
}

std::int64_t pieces_taken(store::Session& session, std::int64_t service_id, const Departure& departure,
                          std::int64_t except) {
    // A booking without a time is of the only departure of its day.
    return store::value<std::int64_t>(
               session,
               "SELECT CAST(COALESCE(SUM(s.quantity * CASE WHEN s.price_type = 'fixed' AND s.price_per = 'person' THEN"
               " b.travelers_count ELSE 1 END), 0) AS BIGINT) FROM svc_booking_services s"
               " JOIN svc_booking_v2 b ON b.id = s.booking_id"
               " WHERE s.service_id = :service_id AND b.trip_id = :trip_id AND b.travel_date = :day AND b.id <> :except"
               " AND b.status NOT IN ('cancelled', 'refunded', 'failed', 'trash')"
               " AND (:any_time = 1 OR b.departure_time IS NULL OR b.departure_time = :time)",
               {{"service_id", service_id},
                {"trip_id", departure.trip_id},
                {"day", departure.day},
                {"except", except},
                {"any_time", !departure.time.has_value()},
                {"time", departure.time.value_or(ClockTime{})}})
        .value_or(0);
}

std::map<std::int64_t, std::int64_t> units_of_booking(store::Session& session, std::int64_t booking_id) {
    std::map<std::int64_t, std::int64_t> units;
    for (const auto& [service_id, quantity] : store::tuples<std::int64_t, std::int64_t>(
             session,
             "SELECT service_id, quantity FROM svc_booking_services WHERE booking_id = :id AND service_id IS NOT NULL",
             {{"id", booking_id}}))
        units[service_id] = quantity;
    return units;
}

std::vector<Stocked> stocked_of_booking(store::Session& session, std::int64_t booking_id) {
    return store::structs<Stocked, std::int64_t, std::string, std::int64_t, bool, std::int64_t>(
        session,
        "SELECT a.id, a.name, s.quantity, CASE WHEN s.price_type = 'fixed' AND s.price_per = 'person' THEN 1 ELSE 0 "
        "END,"
        " a.stock_per_departure FROM svc_booking_services s"
        " JOIN svc_additional_services a ON a.id = s.service_id"
        " WHERE s.booking_id = :id AND a.stock_per_departure IS NOT NULL ORDER BY a.id",
        {{"id", booking_id}});
}

std::int64_t remove_old_days(store::Transaction& tx, Date day) {
    return tx.run("DELETE FROM svc_service_days WHERE travel_date < :day", {{"day", day}});
}

}  // namespace svc::pro::additional_services
