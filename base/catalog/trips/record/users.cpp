// Bookings of any status, in the trash too, prevent deletion; other records with amounts fix the trip's currency.
#include "base/catalog/trips/record/users.hpp"

#include "base/feature/facts.hpp"

namespace svc::catalog::trips {
namespace {

constexpr int most_named = 20;
constexpr std::string_view trips_table = "svc_trips";

}  // namespace

Error used_by_bookings(store::Session& session, std::int64_t trip_id) {
    Error error{errc::in_use, "Bookings refer to this trip, so it cannot be deleted."_sentence};
    error.with("used_by",
               facts::of_base().users_of(session, trips_table, {{"id", trip_id}}, most_named).to_json().dump());
    return error;
}

bool is_booked(store::Session& session, std::int64_t trip_id) {
    return facts::of_base().is_blocked(session, trips_table, trip_id);
}

bool has_amounts_elsewhere(store::Session& session, std::int64_t trip_id) {
    return facts::of_base().is_used(session, facts::of_trip_currency, {{"id", trip_id}});
}

}  // namespace svc::catalog::trips
