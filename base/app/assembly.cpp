// Builds the features, lowest first, and says in which order they start and stop.
#include "base/app/assembly.hpp"

#include "base/app/assembled_bookings.hpp"
#include "base/app/assembled_documents.hpp"
#include "base/app/discovery.hpp"
#include "base/app/paying.hpp"
#include "base/app/pricing_ways.hpp"
#include "base/app/upkeep_jobs.hpp"
#include "base/availability/dates/trip_filter.hpp"
#include "base/availability/departures/trip_part.hpp"
#include "base/availability/feeds/routes.hpp"
#include "base/availability/hooks.hpp"
#include "base/availability/routes.hpp"
#include "base/availability/upkeep/jobs.hpp"
#include "base/booking/checkout/routes.hpp"
#include "base/booking/record/hooks.hpp"
#include "base/booking/record/repository.hpp"
#include "base/booking/upkeep/jobs.hpp"
#include "base/catalog/attributes/routes.hpp"
#include "base/catalog/classifications/permalink.hpp"
#include "base/catalog/classifications/routes.hpp"
#include "base/catalog/downloads/routes.hpp"
#include "base/catalog/itineraries/part.hpp"
#include "base/catalog/itineraries/routes.hpp"
#include "base/catalog/media/jobs.hpp"
#include "base/catalog/media/routes.hpp"
#include "base/catalog/trips/hooks.hpp"
#include "base/catalog/trips/jobs.hpp"
#include "base/catalog/trips/own_parts.hpp"
#include "base/catalog/trips/routes.hpp"
#include "base/catalog/trips/touched.hpp"
#include "base/documents/routes.hpp"
#include "base/identity/capabilities.hpp"
#include "base/identity/routes.hpp"
#include "base/messaging/repository.hpp"
#include "base/messaging/settings.hpp"
#include "base/modules/hooks.hpp"
#include "base/operations/routes.hpp"
#include "base/payment/hooks.hpp"
#include "base/payment/jobs.hpp"
#include "base/payment/pay_later.hpp"
#include "base/payment/paypal.hpp"
#include "base/payment/routes.hpp"
#include "base/payment/wire.hpp"
#include "base/platform/jobs/repository.hpp"
#include "shared/core/log.hpp"

namespace svc::app {
namespace {

// Whether a download of the trip is for who made that booking.
Result<void> booking_stands(const std::optional<booking::Booking>& booking, std::int64_t trip_id) {
    if (!booking)
        return errc::booking_not_found;
    if (booking->trip_id != trip_id)
        return Error{errc::forbidden, "This booking belongs to another trip."};
    if (booking->status != "confirmed" && booking->status != "completed")
        return Error{errc::forbidden, "This booking is not confirmed."};
    return {};
}

}  // namespace

Assembly::Assembly(const BaseOptions& given)
    : Platform(given),
      identity(*store, keyring, settings, hooks, limits, clock,
               {.cookie_secure = options.cookie_secure, .site_url = options.site_url}),
      gatekeeper(*store, keyring, limits, clock,
                 {.cookie_secure = options.cookie_secure, .trusted_proxies = site.installation.trusted_proxies}),
      classifications({.store = *store,
                       .settings = settings,
                       .clock = clock,
                       .picture_url = [this](std::int64_t id) { return media.url_of(id); },
                       .places =
                           [this, site = options.site_url](catalog::classifications::Type type, std::int64_t id,
                                                           const std::string& slug) {
                               return catalog::classifications::places_of(
                                   type, id, slug, site, catalog::classifications::bases_of(settings, hooks), hooks);
                           }}),
      media({.store = *store,
             .keyring = keyring,
             .clock = clock,
             .folder = media_folder(options),
             .root = options.site_url + options.base_path,
             .changing = catalog::trips::touch_trips_showing,
             .changed = [this] { trips.shown().reload_changed(); },
             .uploaded = [this] { jobs.wake("media_sizes"); },
             .zone = [this] { return settings.zone(); }}),
      trips({.store = *store,
             .hooks = hooks,
             .settings = settings,
             .clock = clock,
             .parts = catalog::trips::own_parts(
                 {.url = [this](std::int64_t id) { return media.url_of(id); },
                  .thumbnail_url = [this](std::int64_t id) { return media.thumbnail_url_of(id); },
                  .srcset = [this](std::int64_t id, const std::string& sizes) { return media.srcset_of(id, sizes); }},
                 {catalog::itineraries::make_part(media), catalog::downloads::make_part(media),
                  catalog::attributes::make_part(shown_attributes),
                  availability::make_dates_part(
                      settings, clock, [this]() -> availability::Departures& { return availability.departures; })}),
             .trip_address =
                 [this, site = options.site_url] {
                     namespace classes = catalog::classifications;
                     const bool asked = hooks.filtered(classes::permalink_bases.name);
                     return site + "/" +
                            (asked ? classes::bases_of(settings, hooks).trip : settings.text("trip_base")) + "/";
                 },
             .filtered = [this](std::string_view filter) { return hooks.filtered(filter); }}),
      attributes({.store = *store, .classifications = classifications, .trips = trips, .shown = shown_attributes}),
      itineraries(*store, trips, clock),
      downloads({.store = *store,
                 .trips = trips,
                 .media = media,
                 .keyring = keyring,
                 .clock = clock,
                 .root = options.site_url + options.base_path}),
      availability(
          {.store = *store, .hooks = hooks, .settings = settings, .trips = trips, .clock = clock, .metrics = &metrics}),
      feeds({.store = *store,
             .settings = settings,
             .trips = trips,
             .keyring = *keyring,
             .clock = clock,
             .address = options.site_url + options.base_path + "/departures/calendar/"}),
      samples({*store, classifications, trips, media, availability, clock}),
      pricing(hooks, pricing_ways(*this)),
      bookings({.store = *store,
                .hooks = hooks,
                .settings = settings,
                .trips = trips,
                .availability = availability,
                .pricing = pricing,
                .discounts = discounts.service,
                .clock = clock,
                .keyring = *keyring,
                .gateway_allowed = {},
                .module_enabled = [this](std::string_view slug) { return modules.enabled(slug); }}),
      trip_counts(*store, hooks, trips),
      payments({.store = *store,
                .hooks = hooks,
                .settings = settings,
                .gateways = gateways,
                .keyring = *keyring,
                .bookings = bookings,
                .clock = clock,
                .module_enabled = [this](std::string_view slug) { return modules.enabled(slug); }}),
      sample_sales({.booking = {.store = *store,
                                .hooks = hooks,
                                .settings = settings,
                                .trips = trips,
                                .availability = availability,
                                .pricing = pricing,
                                .discounts = discounts.service,
                                .clock = clock,
                                .keyring = *keyring,
                                .gateway_allowed = {},
                                .module_enabled = [this](std::string_view slug) { return modules.enabled(slug); }},
                    .gateways = gateways}),
      refunds(refunds_parts(*this)),
      checkout(checkout_parts(*this)),
      logos(media, options.site_url + options.base_path + "/media/", picture_fetch(options), clock),
      documents(documents_parts(*this)),
      messaging(settings, hooks, *keyring, clock, options.site_url, [this] { jobs.wake("email_queue"); }),
      sender(
          *store, *keyring, clock, metrics,
          {.server = [this, allowed = outbound::Allowed(
                                options.allowed_private_hosts)] { return messaging::smtp_server(settings, allowed); },
           .go_on = [this] { jobs.wake("email_queue"); }}),
      plugins({.routes = routes,
               .hooks = hooks,
               .store = *store,
               .settings = settings,
               .modules = modules,
               .jobs = jobs,
               .gateways = gateways,
               .keyring = *keyring,
               .clock = clock,
               .knows_capability = identity::is_capability,
               .capabilities_filter = identity::module_capabilities.name,
               .fetch = plugin_fetch(options),
               .confirms = [this](std::int64_t booking_id,
                                  bool settles) { return payments.would_confirm(booking_id, settles); },
               .charges = plugin_charges(*this)}) {
    // What belongs to Pro can be turned on while its library is attached.
    modules.set_available([this](const modules::Module& module) {
        return !module.requires_pro ||
               hooks.apply(modules::is_pro_active, plugins.state().starts_with("attached"), {}).boolean();
    });
    features.declare();
    declare();
    connect();
    features.add_routes();
    add_routes();
    features.add_jobs();
    add_jobs();
    features.follow_changes();
    follow_changes();
}

Assembly::~Assembly() { stop(); }

void Assembly::connect() {
    site_settings.when_written([this] { trips.shown().follow_address(); });
    // Trips last: what they show of attributes is in memory by then.
    classifications.follow(
        {.changing = catalog::trips::touch_trips_with, .changed = [this] { trips.shown().reload_changed(); }});
    gateways.add(payment::make_pay_later());
    gateways.add(payment::make_paypal(gateway_fetch(options)));
    downloads.set_bookings({.owned = booking::Ownership({bookings, *store, limits, clock}),
                            .stands = [this](std::int64_t booking_id, std::int64_t trip_id) {
                                return booking_stands(bookings.find(booking_id), trip_id);
                            }});
    messaging.listen();
    documents.listen(hooks);
    samples.sold_by(&sample_sales);
    connect_bookings(*this);
    trip_counts.listen();
}

void Assembly::add_routes() {
    add_discovery_routes(
        routes, {.version = SVC_VERSION,
                 .edition = [this] { return std::string(plugins.state().starts_with("attached") ? "pro" : "base"); },
                 .base_path = options.base_path,
                 .site_url = options.site_url,
                 .session_cookie = identity::session_cookie_name(options.cookie_secure),
                 .module_enabled = [this](std::string_view slug) { return modules.enabled(slug); }});
    identity::add_routes(routes, identity);
    add_registration(*this);
    catalog::classifications::add_routes(routes, classifications);
    catalog::attributes::add_routes(routes, attributes, classifications);
    catalog::media::add_routes(routes, media);
    trips.copies({.copy = [this](store::Transaction& tx, std::int64_t from, std::int64_t to,
                                 auto user) { availability.rules.copy(tx, from, to, user); },
                  .copied = [this](std::int64_t trip_id) { availability.calendar.refresh(trip_id); }});
    catalog::trips::add_routes(routes, trips, availability::Departures::remove_all);
    catalog::itineraries::add_routes(routes, itineraries, media);
    catalog::downloads::add_routes(routes, downloads, media);
    operations::add_routes(routes, samples);
    availability::add_routes(routes, availability);
    availability::add_routes(routes, feeds);
    add_booking_routes(*this);
    payment::add_routes(routes, payments, bookings, *store, settings,
                        booking::Ownership({bookings, *store, limits, clock}), refunds);
    payment::add_paying_routes(routes,
                               {.checkout = checkout,
                                .refunds = refunds,
                                .gateways = gateways,
                                .bookings = bookings,
                                .owns = booking::Ownership({bookings, *store, limits, clock}, "svc_edit_bookings"),
                                .session = booking::session_holder(bookings, limits),
                                .limits = limits});
    documents::add_routes(routes, documents, booking::Ownership({bookings, *store, limits, clock}), limits);
}

void Assembly::add_jobs() {
    housekeeping.add("checkout_sessions", [](store::Transaction& tx, Instant now, int most) {
        // A week after their end: recovery of abandoned bookings reads them first.
        return booking::SessionRepository::remove_expired(tx, now.minus(std::chrono::hours(7 * 24)), most);
    });
    housekeeping.add("events", [this](store::Transaction& tx, Instant now, int most) {
        return events::rows::purge(tx, now.minus(std::chrono::hours(24 * settings.integer("log_retention_days"))),
                                   most);
    });
    housekeeping.add("email_bodies", messaging::outbox::purge_bodies);
    housekeeping.add("emails", messaging::outbox::purge);
    housekeeping.add("job_days", [this](store::Transaction& tx, Instant now, int most) {
        return jobs::rows::purge_days(tx, settings.zone().date_at(now).plus_days(-400), most);
    });
    jobs.add(housekeeping.job());
    add_credentials_job(jobs, identity, keeper, limits);
    jobs.add(sender.job());
    catalog::media::add_jobs(jobs, media);
    catalog::trips::add_jobs(jobs, trips, *store);
    availability::add_jobs(jobs, availability.upkeep);
    booking::add_jobs(jobs, bookings);
    trip_counts.add_job(jobs);
    payment::add_jobs(jobs, checkout);
    add_search_job(jobs, *store, clock);
}

void Assembly::follow_changes() {
    settings.follow([this] { follow_switches(*this); });
    // What trips are shown with may hang on both, by filters of plugins.
    for (const auto channel : {settings::changes_channel, modules::changes_channel})
        changes.on(std::string(channel), [this] { trips.shown().load(); });
    changes.on(std::string(catalog::classifications::channel), [this] { attributes.reload(); });
    changes.on(std::string(catalog::trips::channel), [this] {
        attributes.reload();  // trips ask which of their values everyone may see
        trips.shown().reload_changed();
    });
    changes.on(std::string(payment::gateways_channel), [this] { payments.forget_configs(); });
    changes.on(std::string(availability::channel), [this] { availability.calendar.reload_changed(); });
}

void Assembly::start(svc_plugin_entry_fn* plugin) {
    started_ = true;  // first: what began is stopped, also when a later step throws
    // The feed first: what is loaded once it has noted the counters misses nothing.
    changes.begin();
    const auto second = store::open_another(*store);  // beside what one thread does here, as two load the trips
    identity.accounts().prepare();
    if (plugin)  // refused: said in the log and by plugin_state(), and the base serves on
        static_cast<void>(plugins.attach(plugin));
    take_in_plugin();
    changes.noted();
    modules.reload();
    settings.reload();
    modules.prepare_enabled();
    if (options.serves)
        begin_serving();
    trips.shown().ask_dates(availability::trip_filter(availability.dates));
    auto& took = metrics.histogram("svc_trips_refresh_seconds", "From a trip's commit until the public lists show it.");
    trips.shown().tell_rebuilds([&took](double seconds) { took.observe(seconds); });
    attributes.reload();
    trips.shown().load();
    availability.calendar.load();
    features.load();
    store::release_memory(*store);
    hooks.start();
    limits.start();
    trips.views().start();
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
    sender.stop();
    trips.views().stop();
    jobs.stop();
    hooks.stop();
    limits.stop();
    changes.stop();
    plugins.detach();
}

}  // namespace svc::app
