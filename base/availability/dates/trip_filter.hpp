// What filters of the trip list ask about dates, answered from the calendar.
#pragma once

#include "base/availability/dates/service.hpp"
#include "base/catalog/trips/public_query.hpp"

namespace svc::availability {

// `dates` outlives what it answers.
catalog::trips::TripDates trip_filter(const OfferedDates& dates);

}  // namespace svc::availability
