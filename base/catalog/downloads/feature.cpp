// Registers what downloads have.
#include "base/catalog/downloads/feature.hpp"

#include "base/catalog/downloads/routes.hpp"

namespace svc::catalog::downloads {

Feature::Feature(const Site& site, trips::Feature& trips, const media::Feature& media)
    : svc::Feature(site),
      service({.store = site.store,
               .trips = trips.service,
               .media = media.service,
               .keyring = site.keyring,
               .clock = site.clock,
               .root = site.installation.root}),
      trips_(trips),
      media_(media) {}

void Feature::connect() { trips_.service.add_part(make_part(media_.service)); }

void Feature::add_routes() { downloads::add_routes(site_.routes, service, media_.service); }

}  // namespace svc::catalog::downloads
