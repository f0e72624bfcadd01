// Registers the parts of operations.
#include "base/data/samples/feature.hpp"

#include "base/data/samples/routes.hpp"

namespace svc::samples {

Feature::Feature(const Site& site, const Needs& lower)
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

void Feature::add_routes() { samples::add_routes(site_.routes, samples); }

}  // namespace svc::samples
