// Builds the features, lowest first, and says in which order they start and stop.
#include "base/app/assembly.hpp"

#include "base/app/assembled_bookings.hpp"
#include "base/availability/upkeep/jobs.hpp"
#include "base/booking/record/access.hpp"
#include "base/booking/checkout/routes.hpp"
#include "base/booking/record/hooks.hpp"
#include "base/booking/record/repository.hpp"
#include "base/booking/upkeep/jobs.hpp"
#include "shared/core/log.hpp"

namespace svc::app {

Assembly::Assembly(const BaseOptions& given)
    : Platform(given),
      bookings({.store = *store,
                .hooks = hooks,
                .settings = settings,
                .trips = trips.service,
                .availability = availability.services,
                .pricing = pricing.service,
                .discounts = discounts.service,
                .clock = clock,
                .keyring = *keyring,
                .gateway_allowed = {},
                .module_enabled = [this](std::string_view slug) { return modules.enabled(slug); }}),
      trip_counts(*store, hooks, trips.service),
      payments(site, bookings, booking::session_holder(bookings, limits)) {
    features.connect();
    declare();  // first: messaging listens to it
    features.declare();
    connect();  // before the routes: trips have their parts by then
    features.add_routes();
    add_routes();
    features.add_jobs();
    add_jobs();
    features.follow_changes();
}

Assembly::~Assembly() { stop(); }

void Assembly::connect() {
    downloads.service.sell_to(buyers);
    connect_bookings(*this);
    trip_counts.listen();
}

void Assembly::add_routes() {
    add_booking_routes(*this);
}

void Assembly::add_jobs() {
    housekeeping.add("checkout_sessions", [](store::Transaction& tx, Instant now, int most) {
        // A week after their end: recovery of abandoned bookings reads them first.
        return booking::SessionRepository::remove_expired(tx, now.minus(std::chrono::hours(7 * 24)), most);
    });
    booking::add_jobs(jobs, bookings);
    trip_counts.add_job(jobs);
}

void Assembly::start(svc_plugin_entry_fn* plugin) {
    started_ = true;  // first: what began is stopped, also when a later step throws
    // The feed first: what is loaded once it has noted the counters misses nothing.
    changes.begin();
    const auto second = store::open_another(*store);  // beside what one thread does here, as two load the trips
    plugins.attach(plugin);
    changes.noted();
    modules.reload();
    settings.reload();
    modules.prepare_enabled();
    if (options.serves)
        begin_serving();
    features.load();
    store::release_memory(*store);
    hooks.start();
    limits.start();
    features.start(options.run_jobs);
    if (options.run_jobs) {
        bookings.note_expiry(clock.now());
        jobs.start();
    }
}

void Assembly::stop() {
    if (!started_)
        return;
    started_ = false;
    features.stop();
    jobs.stop();
    hooks.stop();
    limits.stop();
    changes.stop();
    plugins.service.detach();
}

}  // namespace svc::app
