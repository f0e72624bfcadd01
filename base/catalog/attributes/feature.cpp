// Registers what attributes have.
#include "base/catalog/attributes/feature.hpp"

#include "base/catalog/attributes/hooks.hpp"
#include "base/catalog/attributes/routes.hpp"

namespace svc::catalog::attributes {

Feature::Feature(const Site& site, classifications::Feature& classifications, trips::Feature& trips)
    : svc::Feature(site),
      classifications_(classifications),
      trips_(trips),
      service(
          {.store = site.store, .classifications = classifications.service, .trips = trips.service, .shown = shown_}) {}

void Feature::connect() {
    trips_.service.add_part(make_part(shown_));
    trips_.before_loading([this] { service.reload(); });  // trips read from here which values are public
}

void Feature::declare() { declare_hooks(site_.hooks); }

void Feature::add_routes() { attributes::add_routes(site_.routes, service, classifications_.service); }

void Feature::follow_changes() {
    site_.changes.on(std::string(classifications::channel), [this] { service.reload(); });
}

}  // namespace svc::catalog::attributes
