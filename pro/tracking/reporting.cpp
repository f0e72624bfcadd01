// Registers the parts of one partner with the base.
#include "pro/tracking/reporting.hpp"

#include "pro/common/module.hpp"
#include "pro/common/steps.hpp"
#include "pro/tracking/privacy.hpp"
#include "shared/plugin/host_housekeeping.hpp"

namespace svc::pro::tracking {
namespace {

constexpr std::string_view created = "svc_booking_created", paying = "svc_after_payment_processing",
                           paid = "svc_payment_completed", confirmed = "svc_booking_confirmed",
                           refunded = "svc_credit_note_due";
constexpr int log_days = 30;
constexpr int once_days = 1100;  // a booking is made two years ahead at most, and refunded some time later

constexpr const char* old_events_of_meta =
    "DELETE FROM svc_tracking_events WHERE id IN (SELECT id FROM svc_tracking_events WHERE partner = 'meta'"
    " AND created_at < :before ORDER BY created_at LIMIT :most)";
constexpr const char* old_events_of_google =
    "DELETE FROM svc_tracking_events WHERE id IN (SELECT id FROM svc_tracking_events WHERE partner = 'google'"
    " AND created_at < :before ORDER BY created_at LIMIT :most)";
constexpr const char* old_occasions_of_meta =
    "DELETE FROM svc_tracking_once WHERE partner = 'meta' AND occasion IN (SELECT occasion FROM svc_tracking_once"
    " WHERE partner = 'meta' AND created_at < :before ORDER BY created_at LIMIT :most)";
constexpr const char* old_occasions_of_google =
    "DELETE FROM svc_tracking_once WHERE partner = 'google' AND occasion IN (SELECT occasion FROM svc_tracking_once"
    " WHERE partner = 'google' AND created_at < :before ORDER BY created_at LIMIT :most)";

}  // namespace

Reporting::Reporting(const Site& site, const Partner& partner, Wire wire)
    : occurrences(site, partner),
      sender(site, partner, std::move(wire), fetch_of(site)),
      site_(site),
      partner_(partner) {}

bool Reporting::fits(const Site& site) {
    return site.jobs && site.host.find<plugin::FetchTwo>() && site.hooks.knows(paid) && site.hooks.knows(confirmed) &&
           site.hooks.knows(refunded);
}

Sender::Fetch Reporting::fetch_of(const Site& site) {
    return [&fetch = site.host.need<plugin::FetchTwo>()](
               const plugin::FetchTwo::Request& request) -> Result<plugin::FetchReply> {
        SVC_ASSIGN_OR_RETURN(auto reply, fetch(request));
        return plugin::FetchReply(std::move(reply));
    };
}

void Reporting::declare() {
    // Both modules make the same tables: each by a name of its own, as the base runs a name once.
    const bool is_meta = partner_.key == meta.key;
    const std::string_view sql = step("0290_tracking.sql").sql;
    site_.modules.declare(module_named(partner_.module, {{is_meta ? std::string_view("0290_tracking.facebook_pixel")
                                                                  : std::string_view("0290_tracking.google_analytics"),
                                                          sql}}));
    const hooks::Listener listener{.name = "svc_" + std::string(partner_.module),
                                   .module = std::string(partner_.module)};
    site_.listen_if_known(created, listener,
                          [this](const json::Array& given) { occurrences.booked(given.at(0).integer()); });
    site_.listen_if_known(paying, listener, [this](const json::Array& given) {
        if (const auto id = given.at(0).maybe_integer("id"))
            occurrences.paying(*id);
    });
    site_.listen_if_known(paid, listener, [this](const json::Array& given) { occurrences.paid(given.at(0)); });
    site_.listen_if_known(confirmed, listener,
                          [this](const json::Array& given) { occurrences.confirmed(given.at(0).integer()); });
    site_.listen_if_known(refunded, listener, [this](const json::Array& given) { occurrences.refunded(given.at(0)); });
    take_part_in_privacy(site_, partner_);
    auto* housekeeping = site_.host.find<plugin::Housekeeping>();
    if (!housekeeping)
        return;  // an older base: the log is deleted by hand
    const std::string module(partner_.module);
    housekeeping->add({.name = module + "_log",
                       .sql = is_meta ? old_events_of_meta : old_events_of_google,
                       .days = log_days,
                       .module = module});
    housekeeping->add({.name = module + "_once",
                       .sql = is_meta ? old_occasions_of_meta : old_occasions_of_google,
                       .days = once_days,
                       .module = module});
}

void Reporting::add_job() {
    site_.jobs->add({.name = std::string(partner_.job),
                     .help = "Reports purchases and refunds to " + std::string(partner_.name) +
                             " for visitors who agreed, and again what it did not take.",
                     .every = std::chrono::minutes(1),
                     .run = [this](Instant) -> Result<json::Value> {
                         if (!site_.modules.enabled(partner_.module))  // it may have no tables
                             return json::Value::object({{"sent", 0}, {"failed", 0}, {"skipped", 0}});
                         return sender.run();
                     }});
}

void Reporting::settings_changed(store::Transaction& tx) {
    Repository::hurry(tx, partner_, site_.clock.now());
    tx.after_commit([this] {
        sender.resume();
        site_.jobs->wake(partner_.job);
    });
}

}  // namespace svc::pro::tracking
