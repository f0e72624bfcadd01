// Registers the parts of trips and refreshes published trips when their parts change.
#include "base/catalog/trips/feature.hpp"

#include "base/catalog/classifications/permalink.hpp"
#include "base/catalog/trips/editor/jobs.hpp"
#include "base/catalog/trips/editor/routes.hpp"
#include "base/catalog/trips/editor/touched.hpp"
#include "base/catalog/trips/record/hooks.hpp"
#include "base/catalog/trips/record/own_parts.hpp"
#include "base/modules/site_modules.hpp"

namespace svc::catalog::trips {
namespace {

std::string address_of_trips(const Site& site) {
    const bool filtered = site.hooks.filtered(classifications::permalink_bases.name);
    return site.installation.address + "/" +
           (filtered ? classifications::bases_of(site.settings, site.hooks).trip : site.settings.text("trip_base")) +
           "/";
}

}  // namespace

Feature::Feature(const Site& site, settings::Feature& settings, media::Feature& media,
                 classifications::Feature& classifications)
    : svc::Feature(site),
      service({.store = site.store,
               .hooks = site.hooks,
               .settings = site.settings,
               .clock = site.clock,
               .parts = own_parts(
                   {.url = [&media](std::int64_t id) { return media.service.url_of(id); },
                    .thumbnail_url = [&media](std::int64_t id) { return media.service.thumbnail_url_of(id); },
                    .srcset = [&media](std::int64_t id,
                                       const std::string& sizes) { return media.service.srcset_of(id, sizes); }}),
               .trip_address = [this] { return address_of_trips(site_); }}),
      settings_(settings),
      media_(media),
      classifications_(classifications) {}

void Feature::connect() {
    settings_.when_written([this] { service.public_trips().follow_address(); });
    media_.follow({.changing = touch_trips_showing, .changed = [this] { service.public_trips().reload_changed(); }});
}

void Feature::declare() { declare_hooks(site_.hooks); }

void Feature::add_routes() {
    trips::add_routes(site_.routes, service, [this](store::Transaction& tx, std::int64_t trip_id) -> Result<void> {
        for (const Lifecycle::Release& release : releases_)
            SVC_RETURN_IF_ERROR(release(tx, trip_id));
        return {};
    });
}

void Feature::add_jobs() { trips::add_jobs(site_.jobs, service, site_.store); }

void Feature::follow_changes() {
    // Follows the classifications after the higher features did, so that memory has them already.
    classifications_.service.follow(
        {.changing = touch_trips_with, .changed = [this] { service.public_trips().reload_changed(); }});
    // Trips may be shown differently after either of them changes, by filters of plugins.
    for (const auto all : {settings::changes_channel, modules::changes_channel})
        site_.changes.on(std::string(all), [this] { service.public_trips().load(); });
    site_.changes.on(std::string(channel), [this] {
        for (const auto& work : before_loading_)
            work();
        service.public_trips().reload_changed();
    });
}

void Feature::load() {
    auto& took =
        site_.metrics.histogram("svc_trips_refresh_seconds", "From a trip's commit until the public lists show it.");
    service.public_trips().on_rebuild([&took](double seconds) { took.observe(seconds); });
    for (const auto& work : before_loading_)
        work();
    service.public_trips().load();
}

void Feature::start(bool /*with_jobs*/) { service.views().start(); }

void Feature::stop() { service.views().stop(); }

}  // namespace svc::catalog::trips
