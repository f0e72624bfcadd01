// Registers what classifications have.
#include "base/catalog/classifications/feature.hpp"

#include "base/catalog/classifications/hooks.hpp"
#include "base/catalog/classifications/permalink.hpp"
#include "base/catalog/classifications/routes.hpp"

namespace svc::catalog::classifications {

Feature::Feature(const Site& site, const media::Feature& media)
    : svc::Feature(site),
      service({.store = site.store,
               .settings = site.settings,
               .clock = site.clock,
               .picture_url = [&media](std::int64_t id) { return media.service.url_of(id); },
               .places =
                   [this](Type type, std::int64_t id, const std::string& slug) {
                       return places_of(type, id, slug, site_.installation.address,
                                        bases_of(site_.settings, site_.hooks), site_.hooks);
                   }}) {}

void Feature::declare() {
    declare_hooks(site_.hooks);
    classifications::declare_settings(site_.settings);
    site_.settings.declare_together(check_bases);
}

void Feature::add_routes() { classifications::add_routes(site_.routes, service); }

}  // namespace svc::catalog::classifications
