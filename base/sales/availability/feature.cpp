// Registers what availability has, and connects it with trips.
#include "base/sales/availability/feature.hpp"

#include "base/sales/availability/dates/trip_filter.hpp"
#include "base/sales/availability/departures/trip_part.hpp"
#include "base/sales/availability/feeds/routes.hpp"
#include "base/sales/availability/record/hooks.hpp"
#include "base/sales/availability/routes.hpp"
#include "base/sales/availability/settings.hpp"
#include "base/sales/availability/upkeep/jobs.hpp"

namespace svc::availability {

Feature::Feature(const Site& site, catalog::trips::Feature& trips)
    : svc::Feature(site),
      services({.store = site.store,
                .hooks = site.hooks,
                .settings = site.settings,
                .trips = trips.service,
                .clock = site.clock,
                .metrics = &site.metrics}),
      from_prices(services.dates, site.hooks, trips.service.public_trips()),
      feeds({.store = site.store,
             .settings = site.settings,
             .trips = trips.service,
             .keyring = *site.keyring,
             .clock = site.clock,
             .address = site.installation.root + "/departures/calendar/"}),
      trips_(trips) {}

void Feature::connect() {
    trips_.service.add_part(make_dates_part(site_.settings, site_.clock, services.departures));
    trips_.service.editor().copies({.copy = [this](store::Transaction& tx, std::int64_t from, std::int64_t to,
                                                   auto user) { services.rules.copy(tx, from, to, user); },
                                    .copied = [this](std::int64_t trip_id) { services.calendar.refresh(trip_id); }});
    auto dates = trip_filter(services.dates);
    dates.from_price = [this](const catalog::trips::ShownTrip& trip) { return from_prices.of(trip); };
    trips_.service.public_trips().set_dates(std::move(dates));
    trips_.when_removed(Departures::remove_all);
}

void Feature::declare() {
    declare_hooks(site_.hooks);
    availability::declare_settings(site_.settings);
}

void Feature::add_routes() {
    availability::add_routes(site_.routes, services);
    availability::add_routes(site_.routes, feeds);
}

void Feature::add_jobs() { availability::add_jobs(site_.jobs, services.upkeep); }

void Feature::follow_changes() {
    site_.changes.on(std::string(channel), [this] { services.calendar.reload_changed(); });
}

void Feature::load() {
    services.calendar.load();
    from_prices.begin();
}

void Feature::start(bool /*with_jobs*/) { from_prices.start(); }

void Feature::stop() { from_prices.stop(); }

}  // namespace svc::availability
