// Declarations, listeners and pages of saved trips.
#include "pro/saved_trips/feature.hpp"

#include "pro/common/module.hpp"
#include "pro/common/steps.hpp"
#include "pro/saved_trips/page.hpp"
#include "pro/saved_trips/privacy.hpp"
#include "pro/saved_trips/routes.hpp"

namespace svc::pro::saved_trips {

void Feature::declare() {
    site_.modules.declare(module_named(module_slug, {step("0150_saved_trips.sql")}));
    site_.settings.declare({.key = "enable_wishlist",
                            .type = api::boolean(),
                            .initial = true,  // the module is the switch
                            .help = "Visitors can save trips; off, hearts and saved trips are hidden and stay stored.",
                            .group = "customer",
                            .module = std::string(module_slug)});
    // An older base shows no hearts; its visitors save trips through themes of their own.
    site_.filter_if_known("svc_saved_trips_page", {.name = "svc_saved_trips", .module = std::string(module_slug)},
                          [this](store::Transaction*, const json::Array& given) {
                              return trips.enabled() ? json::Value(page_path) : given.front();
                          });
    take_part_in_privacy(site_);
}

void Feature::connect() {
    if (!site_.pages)
        return;  // then there are the routes alone
    site_.pages->add(visitors_page(trips));
    site_.pages->add(account_page(trips));  // false: the base has no pages of the account
}

void Feature::add_routes() { saved_trips::add_routes(site_, trips); }

}  // namespace svc::pro::saved_trips
