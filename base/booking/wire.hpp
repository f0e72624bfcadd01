// How a booking and its parts look on the wire, for routes, events and e-mails alike.
#pragma once

#include "base/booking/booking.hpp"
#include "shared/api/schema.hpp"

namespace svc::booking {

json::Value to_json(const Booking& booking);  // the list's object
// The whole record; staff see internal notes and the status log, owners do not.
json::Value to_detail(const Booking& booking, const std::vector<Traveler>& travelers, const std::vector<Line>& lines,
                      const Particulars& particulars);
json::Value to_json(const Traveler& traveler, std::int64_t booking_id);
json::Value to_json(const ListedTraveler& traveler);  // with its booking and trip

// What these answer, of lists and single records alike.
api::Schema booking_answer();
api::Type traveler_answer();

}  // namespace svc::booking
