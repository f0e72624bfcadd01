// Declarations, listeners and jobs of abandoned bookings.
#include "pro/abandoned_bookings/feature.hpp"

#include "pro/abandoned_bookings/pages.hpp"
#include "pro/abandoned_bookings/privacy.hpp"
#include "pro/abandoned_bookings/routes.hpp"
#include "pro/common/module.hpp"
#include "pro/common/steps.hpp"
#include "shared/plugin/host_housekeeping.hpp"

namespace svc::pro::abandoned_bookings {
namespace {

constexpr std::string_view booking_created = "svc_booking_created";
constexpr int declines_days = 3;  // a checkout lives for a day at most
constexpr int counts_days = 800;  // two seasons can be compared

}  // namespace

Feature::Feature(const Site& site)
    : pro::Feature(site),
      capture(site, site.host.need<plugin::Calls>(), site.host.need<plugin::Bookings>(),
              site.host.find<plugin::Limits>()),
      recovery(site, capture),
      reminders(site, site.host.need<plugin::Calls>(), capture) {}

bool Feature::fits(const Site& site) {
    return site.jobs && site.mails && site.pages && site.host.find<plugin::Calls>() &&
           site.host.find<plugin::Bookings>() && site.hooks.knows(booking_created);
}

void Feature::declare() {
    site_.modules.declare(module_named(module_slug, {step("0140_abandoned_bookings.sql")}));
    declare_settings(site_.settings);
    site_.listen_if_known(booking_created, {.name = "svc_abandoned_bookings", .module = std::string(module_slug)},
                          [this](const json::Array& arguments) {
                              if (arguments.size() > 1)
                                  reminders.booked(arguments[1], site_.clock.now());
                          });
    take_part_in_privacy(site_);
    auto* housekeeping = site_.host.find<plugin::Housekeeping>();
    if (!housekeeping)
        return;  // an older base: rows that name nobody any more stay
    housekeeping->add({.name = "abandoned_declines",
                       .sql = "DELETE FROM svc_abandoned_declines WHERE checkout_id IN (SELECT checkout_id FROM"
                              " svc_abandoned_declines WHERE created_at < :before ORDER BY created_at LIMIT :most)",
                       .days = declines_days,
                       .module = std::string(module_slug)});
    housekeeping->add({.name = "abandoned_bookings",
                       .sql = "DELETE FROM svc_abandoned_bookings WHERE id IN (SELECT id FROM svc_abandoned_bookings"
                              " WHERE created_at < :before ORDER BY created_at LIMIT :most)",
                       .days = counts_days,
                       .module = std::string(module_slug)});
}

void Feature::connect() {
    declare_mails(site_);
    add_pages(site_, recovery, reminders);
}

void Feature::add_routes() {
    add_visitor_routes(site_, site_.host.need<plugin::Calls>(), capture, recovery, reminders);
    add_staff_routes(site_, reminders);
}

void Feature::add_jobs() {
    site_.jobs->add({.name = "abandoned_scan",
                     .help = "Reminds visitors of unfinished bookings, 100 at a time, and blanks those older than 30"
                             " days.",
                     .every = std::chrono::minutes(15),
                     .run = [this](Instant now) { return reminders.run(now); }});
}

}  // namespace svc::pro::abandoned_bookings
