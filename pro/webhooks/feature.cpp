// Declarations, listener and jobs of webhooks.
#include "pro/webhooks/feature.hpp"

#include "pro/common/module.hpp"
#include "pro/common/sealed_rows.hpp"
#include "pro/common/steps.hpp"
#include "pro/webhooks/catalogue.hpp"
#include "pro/webhooks/mails.hpp"
#include "pro/webhooks/privacy.hpp"
#include "pro/webhooks/routes.hpp"

namespace svc::pro::webhooks {
namespace {

constexpr std::string_view automation_event = "svc_automation_event";

// An older base sends no certificate of a client.
Dispatcher::Fetch fetch_of(const Site& site) {
    if (auto* fetch = site.host.find<plugin::FetchTwo>())
        return [fetch](const plugin::FetchTwo::Request& request) -> Result<plugin::FetchReply> {
            SVC_ASSIGN_OR_RETURN(auto reply, (*fetch)(request));
            return plugin::FetchReply(std::move(reply));
        };
    return [fetch = site.host.find<plugin::Fetch>()](const plugin::FetchTwo::Request& request) {
        return (*fetch)(request);
    };
}

}  // namespace

Feature::Feature(const Site& site) : pro::Feature(site), service(site), dispatcher(site, fetch_of(site)) {}

bool Feature::fits(const Site& site) {
    return site.jobs && site.host.find<plugin::Fetch>() && site.hooks.knows(automation_event);
}

void Feature::declare() {
    site_.modules.declare(module_named(module_slug, {step("0110_webhooks.sql")}));
    site_.listen_if_known(automation_event, {.name = "svc_webhooks", .module = std::string(module_slug)},
                          [this](const json::Array& arguments) {
                              service.occurred(arguments.at(0).text(), arguments.at(1).integer(), arguments.at(2));
                          });
    // An older base describes no messages.
    site_.filter_if_known("svc_openapi_webhooks", {.name = "svc_webhooks", .module = std::string(module_slug)},
                          [](store::Transaction*, const json::Array& given) {
                              json::Value all = given.front();
                              for (auto& [event, item] : openapi_webhooks().members())
                                  all.set(event, item);
                              return all;
                          });
    take_part_in_privacy(site_);
    renews_sealed(site_, "svc_webhooks", sealed_columns());
}

void Feature::connect() { declare_mails(site_); }

void Feature::add_routes() { webhooks::add_routes(site_, service); }

void Feature::add_jobs() {
    site_.jobs->add({.name = std::string(deliver_job),
                     .help = "Sends messages of webhooks that are due, and those that failed before.",
                     .every = std::chrono::seconds(15),
                     .run = [this](Instant) -> Result<json::Value> {
                         if (!site_.modules.enabled(module_slug))
                             return json::Value::object({{"delivered", 0}, {"failed", 0}});  // it may have no tables
                         return dispatcher.run();
                     }});
    site_.jobs->add({.name = "webhook_retention",
                     .help = "Deletes events and finished deliveries of webhooks after 30 days.",
                     .daily_at = ClockTime::from_minutes(3 * 60 + 40),
                     .run = [this](Instant now) -> Result<json::Value> {
                         if (!site_.modules.enabled(module_slug))
                             return json::Value::object({{"deleted", 0}});
                         return service.delete_old(now);
                     }});
}

}  // namespace svc::pro::webhooks
