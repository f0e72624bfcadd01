// Evaluates the date filters of the trip list by the calendar.
#pragma once

#include "base/availability/dates/service.hpp"
#include "base/catalog/trips/public_query.hpp"

namespace svc::availability {

// `dates` must outlive the returned functions.
catalog::trips::TripDates trip_filter(const OfferedDates& dates);

}  // namespace svc::availability
