// Checks of a trip's fields that several files share.
#pragma once

#include "base/catalog/trips/record/change.hpp"
#include "shared/core/faults.hpp"

namespace svc::catalog::trips {

void take_money(std::optional<Money>& field, const Sent<std::string>& sent, Currency currency, const std::string& name,
                Faults& faults);
// Everything that costs: the trip's own prices, those by category, deposits.
void take_prices(Trip& trip, const TripChange& change, Faults& faults);
// The seasons' rows, once the trip's price types are known. Seasons that overlap are svc_conflict.
void take_seasons(Trip& trip, const TripChange& change, Faults& faults);
// A reduced price that does not lie below the list price reduces nothing.
void below(const std::optional<Money>& price, const Money& regular, const std::string& name, Faults& faults);

}  // namespace svc::catalog::trips
