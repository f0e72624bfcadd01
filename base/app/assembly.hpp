// The base edition put together: the platform, and over it the list of features.
#pragma once

#include <memory>

#include "base/app/gate.hpp"
#include "base/app/interface.hpp"
#include "base/app/platform.hpp"
#include "base/availability/feature.hpp"
#include "base/booking/record/buyers.hpp"
#include "base/booking/record/service.hpp"
#include "base/booking/upkeep/departure_bookings.hpp"
#include "base/booking/upkeep/trip_counts.hpp"
#include "base/catalog/attributes/feature.hpp"
#include "base/catalog/classifications/feature.hpp"
#include "base/catalog/downloads/feature.hpp"
#include "base/catalog/itineraries/feature.hpp"
#include "base/catalog/media/feature.hpp"
#include "base/catalog/trips/feature.hpp"
#include "base/customers/account_records.hpp"
#include "base/discounts/feature.hpp"
#include "base/documents/feature.hpp"
#include "base/enquiries/feature.hpp"
#include "base/identity/feature.hpp"
#include "base/messaging/feature.hpp"
#include "base/messaging/sold_bookings.hpp"
#include "base/modules/feature.hpp"
#include "base/operations/feature.hpp"
#include "base/payment/feature.hpp"
#include "base/plugins/feature.hpp"
#include "base/pricing/feature.hpp"
#include "base/settings/feature.hpp"

namespace svc::app {

// Features are built in this order; each calls those above it alone. Tests reach any of them.
struct Assembly : Platform {
    // Opens the database and builds everything; nothing runs yet. Throws std::runtime_error with a sentence.
    explicit Assembly(const BaseOptions& options);
    ~Assembly();
    Assembly(const Assembly&) = delete;
    Assembly& operator=(const Assembly&) = delete;

    // Attaches the plugin, reads what is kept in memory, starts the threads.
    void start(svc_plugin_entry_fn* plugin);
    void stop();

    settings::Feature site_settings{site};
    modules::Feature site_modules{site, modules};
    identity::Feature identity{site};
    customers::AccountRecords customer_records{site, identity};
    catalog::media::Feature media{site};
    catalog::classifications::Feature classifications{site, media};
    catalog::trips::Feature trips{site, site_settings, media, classifications};
    catalog::itineraries::Feature itineraries{site, trips, media};
    catalog::downloads::Feature downloads{site, trips, media};
    catalog::attributes::Feature attributes{site, classifications, trips};
    availability::Feature availability{site, trips};
    discounts::Feature discounts{site, trips};
    pricing::Feature pricing{site, discounts};
    booking::Service bookings;
    booking::TripCounts trip_counts;
    booking::Buyers buyers{{bookings, *store, limits, clock}};
    booking::DepartureBookings departure_bookings{bookings};
    payment::Feature payments;
    documents::Feature documents{site, {media.service, trips.service, availability.services, bookings, payments}};
    enquiries::Feature enquiries{site, trips};
    operations::Feature operations{
        site, {media, classifications, trips, availability.services, discounts, pricing, payments.gateways}};
    messaging::SoldBookings sold_bookings{{site, trips, bookings, payments, documents}};
    messaging::Feature messaging{site, identity, sold_bookings};
    plugins::Feature plugins{site, modules, payments};
    Interface interface { site, *this, identity, plugins };

  private:
    void declare();
    void connect();
    void add_routes();
    void add_jobs();
    void begin_serving();
    bool started_ = false;
};

// The gate over an assembly.
Gate make_gate(Assembly& parts);

}  // namespace svc::app
