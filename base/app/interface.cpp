// Registers the routes and settings of the interface itself.
#include "base/app/interface.hpp"

#include "base/app/discovery.hpp"
#include "base/app/settings.hpp"
#include "base/app/system_status.hpp"
#include "base/app/today.hpp"
#include "base/app/upkeep_jobs.hpp"
#include "base/messaging/events_catalogue/hooks.hpp"
#include "base/people/identity/session_cookie.hpp"
#include "base/platform/events/repository.hpp"
#include "base/platform/jobs/repository.hpp"
#include "shared/core/log.hpp"

namespace svc::app {

void Interface::declare() { app::declare_settings(site_.settings); }

void Interface::add_routes() {
    add_discovery_routes(
        site_.routes,
        {.version = SVC_VERSION,
         .pro_version = [this] { return plugins_.pro_version(); },
         .edition = [this] { return std::string(plugins_.is_pro() ? "pro" : "base"); },
         .base_path = platform_.options.base_path,
         .site_url = site_.installation.address,
         .session_cookie = identity::session_cookie_name(site_.installation.cookie_secure),
         .module_enabled = site_.module_enabled,
         .webhooks =
             [this] { return site_.hooks.apply(events_catalogue::openapi_webhooks, json::Value::object(), {}); }});
    add_status_route(site_.routes, platform_, plugins_);
    add_today_route(site_);
}

void Interface::add_jobs() {
    site_.housekeeping.add("events", [this](store::Transaction& tx, Instant now, int most) {
        const auto retention = std::chrono::hours(24 * site_.settings.integer("log_retention_days"));
        return events::rows::purge(tx, now.minus(retention), most);
    });
    site_.housekeeping.add("job_days", [this](store::Transaction& tx, Instant now, int most) {
        return jobs::rows::purge_days(tx, site_.settings.zone().date_at(now).plus_days(-400), most);
    });
    site_.jobs.add(site_.housekeeping.job());
    add_credentials_job(site_.jobs, identity_.service, platform_.keeper, site_.limits);
    add_search_job(site_.jobs, site_.store, site_.clock);
}

// Settings that the gate reads for each request.
void Interface::follow_changes() {
    site_.settings.follow([this] {
        platform_.caches_answers = site_.settings.flag("cache_enabled");
        const std::string& chosen = platform_.options.log_level;
        log::least(site_.settings.flag("debug_mode") ? log::Level::debug
                   : chosen == "error"               ? log::Level::error
                   : chosen == "warning"             ? log::Level::warning
                                                     : log::Level::info);
    });
}

}  // namespace svc::app
