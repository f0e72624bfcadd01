// Registers what itineraries have.
#include "base/catalog/itineraries/feature.hpp"

#include "base/catalog/itineraries/hooks.hpp"
#include "base/catalog/itineraries/part.hpp"
#include "base/catalog/itineraries/routes.hpp"

namespace svc::catalog::itineraries {

Feature::Feature(const Site& site, trips::Feature& trips, const media::Feature& media)
    : svc::Feature(site), service(site.store, trips.service, site.clock), trips_(trips), media_(media) {}

void Feature::connect() { trips_.service.add_part(make_part(media_.service)); }

void Feature::declare() { declare_hooks(site_.hooks); }

void Feature::add_routes() { itineraries::add_routes(site_.routes, service, media_.service); }

}  // namespace svc::catalog::itineraries
