// Declarations, listeners, routes and jobs of e-mail automation.
#include "pro/email_automation/feature.hpp"

#include "pro/common/module.hpp"
#include "pro/common/steps.hpp"
#include "pro/email_automation/events.hpp"
#include "pro/email_automation/log.hpp"
#include "pro/email_automation/mails.hpp"
#include "pro/email_automation/privacy.hpp"
#include "pro/email_automation/routes.hpp"
#include "pro/email_automation/seeds.hpp"
#include "pro/email_automation/unsubscribe.hpp"
#include "shared/plugin/host_calls.hpp"
#include "shared/plugin/host_housekeeping.hpp"

namespace svc::pro::email_automation {
namespace {

constexpr std::string_view automation_event = "svc_automation_event", message = "svc_transactional_email_message";

}  // namespace

bool Feature::fits(const Site& site) {
    return site.jobs && site.mails && site.pages && site.host.find<plugin::Calls>() &&
           site.hooks.knows(automation_event) && site.hooks.knows(message);
}

void Feature::declare() {
    auto module = module_named(module_slug, {step("0130_email_automation.sql"), step("0221_suppressed_by_staff.sql")});
    module.prepare = [this]() -> Result<void> {
        return site_.store.write([now = site_.clock.now()](store::Transaction& tx) -> Result<void> {
            store_seeds(tx, now);
            return {};
        });
    };
    site_.modules.declare(std::move(module));
    const hooks::Listener listener{.name = "svc_email_automation", .module = std::string(module_slug)};
    site_.listen_if_known(automation_event, listener, [this](const json::Array& arguments) {
        const json::Value& payload = arguments.at(2);
        engine.occurred(arguments.at(0).text(), payload["booking"].maybe_integer("id").value_or(0), payload);
    });
    site_.listen_if_known("svc_review_created", listener,
                          [this](const json::Array& arguments) { engine.reviewed(arguments.at(0)); });
    site_.listen_if_known("svc_enquiry_created", listener,
                          [this](const json::Array& arguments) { engine.wrote(arguments.at(0)); });
    site_.filter_if_known(message, listener,
                          [this](store::Transaction*, const json::Array& given) { return templates.message(given); });
    take_part_in_privacy(site_);
}

void Feature::connect() {
    declare_mails(site_);
    site_.pages->add(unsubscribe_page(site_));
    // An older base keeps the log for ever.
    if (auto* housekeeping = site_.host.find<plugin::Housekeeping>())
        housekeeping->add({.name = "email_step_logs",
                           .sql = std::string(MailLog::delete_old),
                           .days_setting = "email_retention_days",
                           .module = std::string(module_slug)});
}

void Feature::add_routes() {
    add_template_routes(site_, templates);
    add_action_routes(site_, templates);
    add_sequence_routes(site_, templates);
    add_log_routes(site_);
    add_suppression_routes(site_);
    add_unsubscribe_routes(site_);
}

void Feature::add_jobs() {
    site_.jobs->add({.name = std::string(sequences_job),
                     .help = "Enrols bookings in sequences by their days of travel and sends the steps that are due.",
                     .every = std::chrono::minutes(5),
                     .run = [this](Instant now) -> Result<json::Value> {
                         if (!site_.modules.enabled(module_slug))
                             return json::Value::object({{"enrolled", 0}, {"queued", 0}});  // it may have no tables
                         return engine.run(now);
                     }});
}

}  // namespace svc::pro::email_automation
