// Checks the references in a write of a trip.
#pragma once

#include "base/catalog/trips/record/change.hpp"
#include "base/catalog/trips/record/part.hpp"

namespace svc::catalog::trips {

// Adds the fields of an error to those collected so far.
void add_faults(std::optional<Error>& all, const Error& error);

// The trip after the change, with the rules of its categories. The error has missing references with all other faults;
// a lenient write drops and reports them.
Result<Trip> checked(store::Session& session, Trip before, TripChange change, bool fresh, const Part::Writing& writing);

}  // namespace svc::catalog::trips
