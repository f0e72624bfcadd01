// Where and when a booking's trip begins, as its travelers need it on the day.
#pragma once

#include <string>

#include "base/sales/booking/record/booking.hpp"
#include "shared/api/schema.hpp"
#include "shared/store/store.hpp"

namespace svc::booking {

struct Meeting {
    std::string place;    // empty: none is known
    std::string map_url;  // of its coordinates, else a search for it
};

// Of the departure, else of the trip.
Meeting meeting_of(store::Session& session, const Booking& booking);
json::Value to_json(const Meeting& meeting);
api::Type meeting_answer();

}  // namespace svc::booking
