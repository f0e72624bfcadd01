// The pages with the trips that a visitor saved.
#pragma once

#include "pro/saved_trips/saved_trips.hpp"
#include "shared/pages/offered.hpp"

namespace svc::pro::saved_trips {

// /saved-trips: of an account holder, or of a visitor whose browser names the trips in the query (`trips`: ids).
// Account holders change them by its form: `add` and `remove`, ids too.
pages::OfferedPage visitors_page(const SavedTrips& trips);
// The same among the pages of the account.
pages::OfferedPage account_page(const SavedTrips& trips);

}  // namespace svc::pro::saved_trips
