// Departures and bookable dates as JSON. A file of its own, so that routes.cpp holds routes alone.
#pragma once

#include "base/availability/dates.hpp"
#include "base/availability/service.hpp"
#include "shared/api/schema.hpp"

namespace svc::availability {

json::Value to_json(const Departure& departure, const std::vector<std::int64_t>& booking_ids);
json::Value to_json(const TabCounts& counts);
// The dates in order, each with all times of its day.
json::Value to_json(const std::vector<Bookable>& dates);

// The body of a write; start_date required, see Schema::partial for updates.
api::Schema departure_fields();
DepartureChange change_of(const json::Value& clean_body);
api::Type departure_answer();
api::Type date_answer();

}  // namespace svc::availability
