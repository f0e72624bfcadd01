// How a booking and its parts look on the wire, for routes, events and e-mails alike.
#pragma once

#include "base/sales/booking/record/booking.hpp"
#include "base/settings/values/look.hpp"
#include "shared/api/schema.hpp"

namespace svc::booking {

// The object of lists. With the site's formatted amounts, except for events.
json::Value to_json(const Booking& booking, const settings::Look& look = {});
// The whole record; staff see internal notes and the status log, owners do not.
json::Value to_detail(const Booking& booking, const std::vector<Traveler>& travelers, const std::vector<Line>& lines,
                      const Particulars& particulars, const settings::Look& look = {});
json::Value to_json(const Traveler& traveler, std::int64_t booking_id);
json::Value to_json(const ListedTraveler& traveler);  // with its booking and trip

// The schemas of: a row of a list; one booking as its customer sees it; the same for staff.
api::Schema booking_row_answer();
api::Schema booking_answer();
api::Schema staff_booking_answer();
api::Type traveler_answer();         // of one booking
api::Type listed_traveler_answer();  // of all of them

// In bodies and answers alike.
const api::Field& locale_field();

}  // namespace svc::booking
