// Registers what operations have.
#include "base/operations/feature.hpp"

#include "base/operations/routes.hpp"

namespace svc::operations {

Feature::Feature(const Site& site, const Lower& lower)
    : svc::Feature(site),
      samples({.store = site.store,
               .classifications = lower.classifications.service,
               .trips = lower.trips.service,
               .media = lower.media.service,
               .availability = lower.availability,
               .clock = site.clock}),
      sales_({.booking = {.store = site.store,
                          .hooks = site.hooks,
                          .settings = site.settings,
                          .trips = lower.trips.service,
                          .availability = lower.availability,
                          .pricing = lower.pricing.service,
                          .discounts = lower.discounts.service,
                          .clock = site.clock,
                          .keyring = *site.keyring,
                          .gateway_allowed = {},
                          .module_enabled = site.module_enabled},
              .gateways = lower.gateways}) {
    samples.sold_by(&sales_);
}

void Feature::add_routes() { operations::add_routes(site_.routes, samples); }

}  // namespace svc::operations
