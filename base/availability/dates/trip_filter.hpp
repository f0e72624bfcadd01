// What filters of the trip list ask about dates, answered from the calendar.
#pragma once

#include "base/availability/service.hpp"
#include "base/catalog/trips/public_query.hpp"

namespace svc::availability {

// `availability` outlives what it answers.
catalog::trips::TripDates trip_filter(const Service& availability);

}  // namespace svc::availability
