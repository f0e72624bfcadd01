// Builds documents from a Site and registers their routes, settings and hooks.
#include "base/sales/documents/feature.hpp"

#include "base/sales/booking/checkout/access.hpp"
#include "base/sales/documents/hooks.hpp"
#include "base/sales/documents/routes.hpp"
#include "base/sales/documents/settings.hpp"

namespace svc::documents {
namespace {

// Pictures of other servers, within the bounds of docs/rules.md.
Fetch picture_fetch(const outbound::Allowed& allowed) {
    return [allowed](const std::string& url) -> Result<std::string> {
        SVC_ASSIGN_OR_RETURN(
            auto answer,
            outbound::fetch(
                {.url = url, .timeout = std::chrono::seconds(5), .most_bytes = std::size_t{4} << 20, .redirects = 3},
                allowed));
        if (answer.status != 200)
            return Error{errc::upstream_error, "The picture is not there."_sentence};
        return std::move(answer.body);
    };
}

}  // namespace

Feature::Feature(const Site& site, const Needs& below)
    : svc::Feature(site),
      logos(below.media.service, site.installation.root + "/media/", picture_fetch(site.installation.allowed),
            site.clock),
      service(
          {.store = site.store,
           .hooks = site.hooks,
           .settings = site.settings,
           .bookings = below.bookings.records,
           .payments = below.payments.service,
           .trips = below.trips.service,
           .availability = below.availability.services,
           .logos = logos,
           .keyring = *site.keyring,
           .clock = site.clock,
           .instructions =
               [&gateways = below.payments.service.gateways](const std::string& gateway, const json::Value& booking,
                                                             std::string_view locale) {
                   return gateways.offline_instructions(gateway, booking, locale);
               },
           .way = [&gateways = below.payments.service.gateways](
                      const std::string& gateway, std::string_view locale) { return gateways.way(gateway, locale); },
           .site_address = site.installation.address}),
      partners(
          {.store = site.store, .hooks = site.hooks, .settings = site.settings, .logos = logos, .clock = site.clock}),
      bookings_(below.bookings) {}

void Feature::declare() {
    declare_hooks(site_.hooks);
    documents::declare_settings(site_.settings);
    service.listen(site_.events);
}

void Feature::add_routes() {
    documents::add_routes(site_.routes, service,
                          booking::Ownership({bookings_.records, site_.store, site_.limits, site_.clock}),
                          site_.limits);
}

}  // namespace svc::documents
