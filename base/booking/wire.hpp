// How a booking and its parts look on the wire, for routes, events and e-mails alike.
#pragma once

#include "base/booking/booking.hpp"

namespace svc::booking {

json::Value to_json(const Booking& booking);  // the list's object
// The whole record; staff see internal notes and the status log, owners do not.
json::Value to_detail(const Booking& booking, const std::vector<Traveler>& travelers, const std::vector<Line>& lines);
json::Value to_json(const Traveler& traveler, std::int64_t booking_id);

}  // namespace svc::booking
