// Builds the services of payments from a Site and registers their routes, jobs, hooks and settings.
#include "base/sales/payment/feature.hpp"

#include <stdexcept>

#include "base/sales/booking/checkout/access.hpp"
#include "base/sales/booking/record/hooks.hpp"
#include "base/sales/payment/gateways/pay_later.hpp"
#include "base/sales/payment/gateways/paypal.hpp"
#include "base/sales/payment/jobs.hpp"
#include "base/sales/payment/record/hooks.hpp"
#include "base/sales/payment/routes.hpp"
#include "base/sales/payment/settings.hpp"

namespace svc::payment {
namespace {

const hooks::Filter partner_address{
    "svc_partner_address",
    "The address that is asked in place of a partner's own, for tests and proxies: that of payment.api_bases with the"
    " partner's name. Empty: the partner's own.",
    json::Kind::string,
    {"partner"}};

// Plugins whose partners are no gateways ask for the operator's address by this filter.
void answer_addresses(hooks::Hooks& hooks, const std::vector<std::string>& list) {
    hooks.declare(partner_address);
    const auto answers =
        hooks.filter(partner_address.name, {.name = "payment.api_bases"},
                     [bases = api_bases_of(list)](store::Transaction*, const json::Array& given) -> json::Value {
                         const auto found = given.at(1).is_string() ? bases.find(given.at(1).text()) : bases.end();
                         return found == bases.end() ? given.at(0) : json::Value(found->second);
                     });
    if (!answers)
        throw std::logic_error("payment cannot answer addresses: " + answers.error().cause());
}

}  // namespace

Feature::Feature(const Site& site, booking::Feature& bookings)
    : svc::Feature(site),
      service({.store = site.store,
               .hooks = site.hooks,
               .settings = site.settings,
               .gateways = gateways,
               .keyring = *site.keyring,
               .bookings = bookings.records,
               .clock = site.clock,
               .module_enabled = site.module_enabled}),
      refunds({.store = site.store,
               .hooks = site.hooks,
               .payments = service,
               .bookings = bookings.records,
               .clock = site.clock,
               .situation = [this](const OfferedGateway& one,
                                   std::optional<bool> is_test) { return checkout.calls.situation(one, is_test); }}),
      checkout({.store = site.store,
                .hooks = site.hooks,
                .settings = site.settings,
                .gateways = gateways,
                .payments = service,
                .refunds = refunds,
                .bookings = bookings.records,
                .keyring = *site.keyring,
                .clock = site.clock,
                .metrics = site.metrics,
                .limits = site.limits,
                .run_in_place = [&site](const hooks::Action& action,
                                        json::Array arguments) { site.events.run_in_place(action, arguments); },
                .places = {.site_url = site.installation.address,
                           .root = site.installation.root,
                           .api_bases = api_bases_of(site.installation.gateway_api_bases)},
                .wake_reconciliation = [&site] { site.jobs.wake("payment_reconciliation"); }}),
      bookings_(bookings) {
    gateways.add(make_pay_later());
    gateways.add(make_paypal(site.fetch));
}

void Feature::connect() {
    bookings_.ports.payments = &for_bookings;
    bookings_.ports.gateways = &gateways_for_bookings;
    bookings_.ports.pages = &pages_for_bookings;
}

void Feature::declare() {
    declare_hooks(site_.hooks);
    answer_addresses(site_.hooks, site_.installation.gateway_api_bases);
    payment::declare_settings(site_.settings);
    site_.settings.declare_naming("payment_gateways", [this](store::Session& session, const json::Value& listed) {
        return service.gateways.may_offer(session, listed);
    });
    const auto listens =
        site_.hooks.on(booking::booking_created.name, {.name = "payment.early_events"},
                       [this](const json::Array& arguments) { checkout.held.booked(arguments.at(0).integer()); });
    if (!listens)
        throw std::logic_error("payment cannot listen: " + listens.error().cause());
    for (const char* key : {"payment_gateways", "gateway_order"})
        site_.settings.declare_together([this, key](const settings::SiteSettings::Get& get) {
            return may_list(gateways, key, get(key), site_.settings.get(key));
        });
}

void Feature::add_routes() {
    payment::add_routes(site_.routes, service, bookings_.records, site_.store, site_.settings,
                        booking::Ownership({bookings_.records, site_.store, site_.limits, site_.clock}).paying(),
                        refunds);
    add_gateway_routes(site_.routes, service.gateways, site_.settings);
    add_paying_routes(
        site_.routes,
        {.checkout = checkout,
         .refunds = refunds,
         .gateways = gateways,
         .bookings = bookings_.records,
         .owns = booking::Ownership({bookings_.records, site_.store, site_.limits, site_.clock}, "svc_edit_bookings")
                     .paying(),
         .session = bookings_.session_of_request(),
         .limits = site_.limits});
}

void Feature::add_jobs() { payment::add_jobs(site_.jobs, checkout); }

void Feature::follow_changes() {
    site_.changes.on(std::string(gateways_channel), [this] { service.gateways.forget_configs(); });
}

// Plugins have added theirs by now.
void Feature::load() {
    if (!site_.installation.serves)
        return;
    json::Array ids;
    for (const auto& gateway : gateways.all())
        ids.emplace_back(gateway->info().id);
    site_.events.run_in_place(gateways_registered, {json::Value(std::move(ids))});
    gateways.close();
}

}  // namespace svc::payment
