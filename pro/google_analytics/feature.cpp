// Puts the parts of the module together.
#include "pro/google_analytics/feature.hpp"

#include "pro/google_analytics/analytics.hpp"
#include "pro/google_analytics/routes.hpp"
#include "pro/tracking/browser_tags.hpp"

namespace svc::pro::google_analytics {

Feature::Feature(const Site& site)
    : pro::Feature(site),
      reporting(site, tracking::google,
                wire([&site] { return host_of(site); },
                     [&site] { return site.settings.get(tracking::ga_debug_setting).boolean(); })) {}

void Feature::declare() {
    tracking::declare_settings(site_, tracking::google, setting_rows());
    reporting.declare();
}

void Feature::connect() { tracking::offer_analytics_tag(site_); }

void Feature::add_routes() { google_analytics::add_routes(site_, reporting); }

void Feature::add_jobs() { reporting.add_job(); }

}  // namespace svc::pro::google_analytics
