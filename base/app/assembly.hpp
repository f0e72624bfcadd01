// The base edition put together: every part and feature, built by hand, lowest first.
#pragma once

#include <memory>

#include "base/app/gate.hpp"
#include "base/app/outgoing.hpp"
#include "base/app/platform.hpp"
#include "base/availability/feeds/feeds.hpp"
#include "base/availability/services.hpp"
#include "base/booking/feature.hpp"
#include "base/booking/guest/accounts.hpp"
#include "base/catalog/attributes/service.hpp"
#include "base/catalog/classifications/service.hpp"
#include "base/catalog/downloads/service.hpp"
#include "base/catalog/itineraries/service.hpp"
#include "base/catalog/media/service.hpp"
#include "base/catalog/trips/service.hpp"
#include "base/discounts/feature.hpp"
#include "base/documents/service.hpp"
#include "base/enquiries/feature.hpp"
#include "base/identity/gatekeeper.hpp"
#include "base/identity/registration.hpp"
#include "base/identity/service.hpp"
#include "base/messaging/sender.hpp"
#include "base/messaging/service.hpp"
#include "base/modules/feature.hpp"
#include "base/operations/samples.hpp"
#include "base/payment/booking_pages.hpp"
#include "base/payment/booking_payments.hpp"
#include "base/payment/checkout.hpp"
#include "base/payment/service.hpp"
#include "base/platform/plugins/plugins.hpp"
#include "base/pricing/quote.hpp"
#include "base/settings/feature.hpp"

namespace svc::app {

// Members stand in the order they are built; each refers to those above it alone. Tests reach any of them.
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
    identity::Service identity;
    identity::Gatekeeper gatekeeper;
    std::unique_ptr<identity::AddressProof> address_proof;
    std::unique_ptr<identity::Registration> registration;  // with its routes
    catalog::classifications::Service classifications;
    catalog::attributes::ShownIds shown_attributes;
    catalog::media::Service media;
    catalog::trips::Service trips;
    catalog::attributes::Service attributes;
    catalog::itineraries::Service itineraries;
    catalog::downloads::Service downloads;
    availability::Services availability;
    availability::Feeds feeds;
    operations::Samples samples;
    discounts::Feature discounts{site, trips};
    pricing::Pricing pricing;
    booking::Feature bookings{
        site, {.trips = trips, .availability = availability, .pricing = pricing, .discounts = discounts.service}};
    std::unique_ptr<booking::RegisteredAccounts> booking_accounts;
    payment::Gateways gateways;
    payment::Service payments;
    payment::BookingPayments booking_payments{payments};
    payment::BookingGateways booking_gateways{payments};
    operations::SampleSales sample_sales;
    payment::Refunds refunds;
    payment::Checkout checkout;
    payment::BookingPages booking_pages{payments, checkout, settings};
    documents::Logos logos;
    documents::Service documents;
    enquiries::Feature enquiries{site, trips};
    messaging::Service messaging;
    messaging::Sender sender;
    plugins::Plugins plugins;

  private:
    void declare();
    void connect();
    void add_routes();
    void add_jobs();
    void follow_changes();
    void begin_serving();
    void take_in_plugin();
    bool started_ = false;
};

// The gate over an assembly.
Gate make_gate(Assembly& parts);
// Has what the gate goes by at each request as the settings are now.
void follow_switches(Assembly& parts);
}  // namespace svc::app
