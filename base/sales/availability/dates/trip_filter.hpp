// Evaluates the date filters of the trip list by the calendar.
#pragma once

#include "base/catalog/trips/public/public_query.hpp"
#include "base/sales/availability/dates/service.hpp"

namespace svc::availability {

// `dates` must outlive the returned functions.
catalog::trips::TripDates trip_filter(const OfferedDates& dates);

}  // namespace svc::availability
