// Whether a trip accepts a party, on any date and regardless of free seats (spec 2.2).
#pragma once

#include "base/catalog/trips/record/trip.hpp"
#include "base/sales/pricing/quote.hpp"

namespace svc::pricing {

// group_size with the field and the limit when it is too small or too big for the trip.
Result<void> party_fits(const catalog::trips::Trip& trip, std::int64_t travelers, const TravelerCounts& counts);
// The same for the people of one category.
Result<void> number_fits(const catalog::trips::PriceType& type, std::int64_t count);
// Both checks for every category of the party.
Result<void> whole_party_fits(const catalog::trips::Trip& trip, std::int64_t travelers, const TravelerCounts& counts);

}  // namespace svc::pricing
