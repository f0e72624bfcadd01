// Declarations, listeners and pages of saved trips.
#include "pro/saved_trips/feature.hpp"

#include "pro/common/module.hpp"
#include "pro/common/steps.hpp"
#include "pro/saved_trips/page.hpp"
#include "pro/saved_trips/privacy.hpp"
#include "pro/saved_trips/routes.hpp"

namespace svc::pro::saved_trips {

void Feature::declare() {
    auto module = module_named(module_slug, {step("0150_saved_trips.sql")});
    // Who turns the module on wants the hearts; the setting hides them for a while.
    module.prepare = [this] { return site_.settings.write(json::Value::object({{"enable_wishlist", true}})); };
    site_.modules.declare(std::move(module));
    site_.settings.declare({.key = "enable_wishlist",
                            .type = api::boolean(),
                            .initial = false,
                            .help = "Visitors can save trips. Turning on the module Saved trips sets it.",
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

void Feature::add_routes() { saved_trips::add_routes(site_.routes, trips); }

}  // namespace svc::pro::saved_trips
