// Lists the records that refer to a trip, so that a trip in use is not deleted.
#pragma once

#include "shared/core/result.hpp"
#include "shared/store/store.hpp"

namespace svc::catalog::trips {

// svc_in_use: how many bookings are of the trip, the first of them by their references.
Error used_by_bookings(store::Session& session, std::int64_t trip_id);
// Whether there is any.
bool is_booked(store::Session& session, std::int64_t trip_id);
// Whether other data is in the trip's currency: bookings, departures, recurring rules, costs of its days.
bool has_amounts_elsewhere(store::Session& session, std::int64_t trip_id);

}  // namespace svc::catalog::trips
