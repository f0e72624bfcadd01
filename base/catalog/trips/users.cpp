// Bookings of any status, in the trash too, prevent deletion; other records with amounts fix the trip's currency.
#include "base/catalog/trips/users.hpp"

#include "shared/json/value.hpp"
#include "shared/store/read_rows.hpp"

namespace svc::catalog::trips {
namespace {

constexpr std::int64_t most_named = 20;

std::int64_t bookings_of(store::Session& session, std::int64_t trip_id) {
    return session.number("SELECT COUNT(*) FROM svc_bookings WHERE trip_id = :trip", {{"trip", trip_id}});
}

}  // namespace

Error used_by_bookings(store::Session& session, std::int64_t trip_id) {
    auto named = json::Value::array();
    store::each_row(session, "SELECT id, reference FROM svc_bookings WHERE trip_id = :trip ORDER BY id LIMIT :most",
                    {{"trip", trip_id}, {"most", most_named}}, [&](std::int64_t id, const std::string& reference) {
                        named.push(json::Value::object({{"type", "booking"}, {"id", id}, {"title", reference}}));
                    });
    Error error{errc::in_use, "Bookings refer to this trip, so it cannot be deleted."};
    error.with("used_by",
               json::Value::object({{"total", bookings_of(session, trip_id)}, {"items", std::move(named)}}).dump());
    return error;
}

bool is_booked(store::Session& session, std::int64_t trip_id) { return bookings_of(session, trip_id) > 0; }

bool has_amounts_elsewhere(store::Session& session, std::int64_t trip_id) {
    return session.number(
               "SELECT COUNT(*) FROM svc_trips AS trip WHERE trip.id = :trip AND ("
               "EXISTS (SELECT 1 FROM svc_bookings AS booking WHERE booking.trip_id = trip.id)"
               " OR EXISTS (SELECT 1 FROM svc_departures AS departure WHERE departure.trip_id = trip.id)"
               " OR EXISTS (SELECT 1 FROM svc_availability_rules AS rule WHERE rule.trip_id = trip.id)"
               " OR EXISTS (SELECT 1 FROM svc_itinerary_entries AS entry JOIN svc_itinerary_days AS day"
               " ON day.id = entry.day_id WHERE day.trip_id = trip.id AND entry.cost_minor IS NOT NULL))",
               {{"trip", trip_id}}) > 0;
}

}  // namespace svc::catalog::trips
