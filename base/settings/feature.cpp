// Registers the settings that belong to the site as a whole.
#include "base/settings/feature.hpp"

#include "base/settings/routes.hpp"
#include "base/settings/values/hooks.hpp"
#include "base/settings/values/site_pages.hpp"

namespace svc::settings {

void Feature::declare() {
    declare_hooks(site_.hooks);
    site_.settings.listen_with(site_.hooks);
    declare_settings(site_.settings);
    declare_site_pages(site_.settings);
}

void Feature::add_routes() {
    settings::add_routes(
        site_.routes, site_.settings,
        [this] {
            for (const auto& then : when_written_)
                then();
        },
        [this] { announce_addresses(site_.store, site_.hooks); },
        [this] { announce(site_.store, site_.hooks, setup_wizard_completed); });
    add_schema_route(site_.routes, site_.settings, site_.module_enabled);
    add_page_routes(site_.routes, site_.settings, site_.store, site_.installation.address);
    add_shortcode_routes(site_.routes, site_.settings, site_.store, site_.hooks, site_.installation.address);
}

void Feature::follow_changes() {
    site_.changes.on(std::string(changes_channel), [this] { site_.settings.reload(); });
}

}  // namespace svc::settings
