// A small catalogue to look at: six trips of our own writing with their dates.
#pragma once

#include "base/availability/service.hpp"
#include "base/catalog/trips/service.hpp"

namespace svc::operations {

// Publishes the samples, all or none, with departures in the months after today. Answers how many trips were made: 0
// when the catalogue holds any trip already, the trash included. Several processes may call it at once.
Result<int> load_samples(store::Store& store, catalog::trips::Service& trips, availability::Service& availability,
                         const Clock& clock);

}  // namespace svc::operations
