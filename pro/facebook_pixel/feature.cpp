// Puts the parts of the module together.
#include "pro/facebook_pixel/feature.hpp"

#include "pro/facebook_pixel/meta.hpp"
#include "pro/facebook_pixel/routes.hpp"
#include "pro/tracking/browser_tags.hpp"

namespace svc::pro::facebook_pixel {

Feature::Feature(const Site& site)
    : pro::Feature(site),
      reporting(site, tracking::meta,
                wire([&site] { return host_of(site); },
                     [&site] { return site.settings.text(tracking::pixel_test_setting); })) {}

void Feature::declare() {
    tracking::declare_settings(site_, tracking::meta, setting_rows());
    reporting.declare();
}

void Feature::connect() { tracking::offer_pixel_tag(site_); }

void Feature::add_routes() { facebook_pixel::add_routes(site_, reporting); }

void Feature::add_jobs() { reporting.add_job(); }

}  // namespace svc::pro::facebook_pixel
