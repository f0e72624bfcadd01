// Registers the parts of operations.
#include "base/operations/feature.hpp"

#include "base/operations/routes.hpp"

namespace svc::operations {

Feature::Feature(const Site& site, const Lower& lower)
    : svc::Feature(site),
      samples({.store = site.store,
               .classifications = lower.classifications.service,
               .trips = lower.of_bookings.trips.service,
               .media = lower.media.service,
               .availability = lower.of_bookings.availability.services,
               .clock = site.clock}),
      sales_(site, lower.of_bookings) {
    samples.sold_by(&sales_);
}

void Feature::add_routes() { operations::add_routes(site_.routes, samples); }

}  // namespace svc::operations
