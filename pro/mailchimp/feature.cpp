// Declarations, listeners, routes and the job of Mailchimp.
#include "pro/mailchimp/feature.hpp"

#include "pro/common/module.hpp"
#include "pro/common/partner_address.hpp"
#include "pro/common/sealed_rows.hpp"
#include "pro/common/steps.hpp"
#include "pro/mailchimp/page.hpp"
#include "pro/mailchimp/privacy.hpp"
#include "pro/mailchimp/receiver.hpp"
#include "shared/plugin/host_housekeeping.hpp"

namespace svc::pro::mailchimp {
namespace {

constexpr std::string_view automation_event = "svc_automation_event";
constexpr int log_days = 90;

Client::Send send_by(const Site& site) {
    return [fetch = site.host.find<plugin::FetchTwo>()](
               const plugin::FetchTwo::Request& request) -> Result<plugin::FetchReply> {
        SVC_ASSIGN_OR_RETURN(auto reply, (*fetch)(request));
        return plugin::FetchReply(std::move(reply));
    };
}

}  // namespace

Feature::Feature(const Site& site)
    : pro::Feature(site),
      client(send_by(site), [&site](const std::string& own) { return partner_address(site, module_slug, own); }),
      sync(site, client, site.host.need<plugin::Calls>()),
      cache_(site.clock),
      root_(site.host.need<plugin::Calls>()) {}

bool Feature::fits(const Site& site) {
    return site.jobs && site.pages && site.host.find<plugin::FetchTwo>() && site.host.find<plugin::Calls>() &&
           site.hooks.knows(automation_event);
}

void Feature::declare() {
    auto module = module_named(module_slug, {step("0280_mailchimp.sql"), step("0330_mailchimp_tries.sql")});
    module.prepare = [this]() -> Result<void> {
        return site_.store.write([this](store::Transaction& tx) -> Result<void> {
            Repository::begin(tx, sealed_secret(site_, new_secret()));
            return {};
        });
    };
    site_.modules.declare(std::move(module));
    declare_settings(site_.settings);
    const hooks::Listener listener{.name = "svc_mailchimp", .module = module_slug};
    site_.listen_if_known(automation_event, listener, [this](const json::Array& arguments) {
        sync.occurred(arguments.at(0).text(), arguments.at(2));
    });
    site_.listen_if_known("svc_customer_created", listener,
                          [this](const json::Array& arguments) { sync.changed(arguments.at(0).integer(), true); });
    site_.listen_if_known("svc_customer_updated", listener,
                          [this](const json::Array& arguments) { sync.changed(arguments.at(0).integer(), false); });
    take_part_in_privacy(site_);
    renews_sealed(site_, "svc_mailchimp", sealed_columns());
}

void Feature::connect() {
    add_newsletter_tick(site_);
    // An older base keeps the log for ever.
    if (auto* housekeeping = site_.host.find<plugin::Housekeeping>())
        housekeeping->add({.name = "mailchimp_log",
                           .sql = "DELETE FROM svc_mailchimp_log WHERE id IN (SELECT id FROM svc_mailchimp_log WHERE"
                                  " created_at < :before ORDER BY created_at LIMIT :most)",
                           .days = log_days,
                           .module = module_slug});
}

void Feature::add_routes() {
    mailchimp::add_routes({.site = site_, .client = client, .sync = sync, .cache = cache_, .root = root_});
    add_receiver(site_);
}

void Feature::add_jobs() {
    site_.jobs->add({.name = std::string(sync_job),
                     .help = "Sends contacts that changed to Mailchimp, and takes over who left there.",
                     .every = std::chrono::minutes(1),
                     .run = [this](Instant now) -> Result<json::Value> {
                         if (!site_.modules.enabled(module_slug))  // it may have no tables
                             return json::Value::object({{"sent", 0}, {"skipped", 0}, {"failed", 0}});
                         return sync.run(now);
                     }});
}

}  // namespace svc::pro::mailchimp
