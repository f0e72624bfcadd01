// The base edition put together: the platform, and over it the list of features.
#pragma once

#include "base/admin/feature.hpp"
#include "base/admin/notices/feature.hpp"
#include "base/admin/reports/feature.hpp"
#include "base/app/gate.hpp"
#include "base/app/interface.hpp"
#include "base/app/platform.hpp"
#include "base/catalog/attributes/feature.hpp"
#include "base/catalog/classifications/feature.hpp"
#include "base/catalog/downloads/feature.hpp"
#include "base/catalog/itineraries/feature.hpp"
#include "base/catalog/media/feature.hpp"
#include "base/catalog/trips/feature.hpp"
#include "base/data/import_export/feature.hpp"
#include "base/data/samples/feature.hpp"
#include "base/data/wordpress_import/feature.hpp"
#include "base/maintenance/feature.hpp"
#include "base/messaging/events_catalogue/feature.hpp"
#include "base/messaging/feature.hpp"
#include "base/messaging/mails/sold_bookings.hpp"
#include "base/modules/feature.hpp"
#include "base/people/customers/feature.hpp"
#include "base/people/enquiries/feature.hpp"
#include "base/people/identity/feature.hpp"
#include "base/people/my_account/feature.hpp"
#include "base/people/privacy/feature.hpp"
#include "base/people/privacy/retention.hpp"
#include "base/people/reviews/feature.hpp"
#include "base/plugins/feature.hpp"
#include "base/sales/availability/feature.hpp"
#include "base/sales/booking/feature.hpp"
#include "base/sales/discounts/feature.hpp"
#include "base/sales/documents/feature.hpp"
#include "base/sales/payment/feature.hpp"
#include "base/sales/pricing/feature.hpp"
#include "base/settings/feature.hpp"
#include "base/website/feature.hpp"

namespace svc::app {

// Features are built in this order; each calls those above it alone. Tests reach any of them.
struct Assembly : Platform {
    // Opens the database and builds everything; nothing runs yet. Throws std::runtime_error with a sentence.
    explicit Assembly(const BaseOptions& options);
    ~Assembly();
    Assembly(const Assembly&) = delete;
    Assembly& operator=(const Assembly&) = delete;

    // Attaches the plugin, loads the caches, starts the threads.
    void start(svc_plugin_entry_fn* plugin);
    void stop();

    settings::Feature site_settings{site};
    modules::Feature site_modules{site, modules};
    identity::Feature identity{site};
    customers::Feature customers{site, identity};
    catalog::media::Feature media{site};
    catalog::classifications::Feature classifications{site, media};
    catalog::trips::Feature trips{site, site_settings, media, classifications};
    catalog::itineraries::Feature itineraries{site, trips, media};
    catalog::downloads::Feature downloads{site, trips, media};
    catalog::attributes::Feature attributes{site, classifications, trips};
    availability::Feature availability{site, trips};
    discounts::Feature discounts{site, trips};
    pricing::Feature pricing{site, discounts};
    booking::Feature bookings{site, {identity, customers, trips, downloads, availability, discounts, pricing}};
    payment::Feature payments{site, bookings};
    documents::Feature documents{site, {media, trips, availability, bookings, payments}};
    enquiries::Feature enquiries{site, trips, bookings};
    reviews::Feature reviews{site, {trips, bookings}};
    my_account::Feature my_account{site, {identity, customers, downloads}};
    privacy::Feature privacy{site, {customers, my_account, bookings, reviews}};
    samples::Feature samples{site, {media, classifications, bookings.lower()}};
    messaging::SoldBookings sold_bookings{{site, trips, bookings, payments, documents}};
    messaging::Feature messaging{site, {identity, my_account, privacy, reviews}, sold_bookings};
    events_catalogue::Feature events_catalogue{site, [this](std::int64_t id) { return sold_bookings.find(id); }};
    pages::Feature pages{
        site, {identity, classifications, trips, bookings, payments}, options.base_path, options.data_dir + "/theme"};
    admin::Feature admin{site};
    maintenance::Feature maintenance{site, {trips, availability}};
    import_export::Feature import_export{
        site, maintenance, {identity, site_settings, media, classifications, discounts, pricing, trips}};
    wordpress_import::Feature wordpress_import{site, {maintenance, import_export, media, classifications, discounts}};
    retention::Feature retention{site, privacy};
    notices::Feature notices{site};
    reports::Feature reports{site};
    plugins::Feature plugins{site, modules, bookings, payments, pages, messaging, documents};
    Interface discovery{site, *this, identity, plugins};

  private:
    bool started_ = false;
};

// The gate over an assembly.
Gate make_gate(Assembly& parts);

}  // namespace svc::app
