// What the scripts of pro/pages read on a page.
#include "pro/tracking/browser_tags.hpp"

#include "pro/common/page_files.hpp"
#include "pro/tracking/browser.hpp"

namespace svc::pro::tracking {
namespace {

using json::Value;

void offer(const Site& site, pages::OfferedTag tag, const char* part) {
    if (!site.pages)
        return;
    tag.configure = [&site, part](const Value& request) -> Result<Value> {
        Value read = browser_configuration(site)[part];
        if (!read.is_object())
            return Value();
        read.set("allowed", request["allowed"]);
        read.set("facts", request["facts"]);
        read.set("language", request["language"]);
        return read;
    };
    add_page_script(*site.pages, tag.asset, {"tracking.js", tag.asset});
    static_cast<void>(site.pages->add(std::move(tag)));  // an older base asks nobody, so nothing is counted there
}

}  // namespace

void offer_analytics_tag(const Site& site) {
    offer(site,
          {.id = "google_analytics",
           .name = "Google Analytics",
           .purpose = "analytics",
           .asset = "analytics.js",
           .module = "google_analytics",
           .origins = {.script = {"https://www.googletagmanager.com"},
                       .connect = {"https://*.google-analytics.com", "https://*.analytics.google.com"}},
           .cookies = {"_ga*"}},
          "analytics");
}

void offer_pixel_tag(const Site& site) {
    offer(site,
          {.id = "facebook_pixel",
           .name = "Facebook Pixel",
           .purpose = "marketing",
           .asset = "pixel.js",
           .module = "facebook_pixel",
           .origins = {.script = {"https://connect.facebook.net"}, .connect = {"https://www.facebook.com"}},
           .cookies = {"_fbp", "_fbc"}},
          "pixel");
}

}  // namespace svc::pro::tracking
