// What a write of a trip refers to, looked up.
#pragma once

#include "base/catalog/trips/change.hpp"
#include "base/catalog/trips/part.hpp"

namespace svc::catalog::trips {

// Adds the fields of an error to those collected so far.
void add_faults(std::optional<Error>& all, const Error& error);

// The trip as changed, with what its categories say. Fields that refer to nothing are in the error with all others;
// where the writing is lenient they are left out and told.
Result<Trip> checked(store::Session& session, Trip before, TripChange change, bool fresh, const Part::Writing& writing);

}  // namespace svc::catalog::trips
