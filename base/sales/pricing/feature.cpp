// Gives prices their listeners, settings and group discounts.
#include "base/sales/pricing/feature.hpp"

#include "base/sales/pricing/hooks.hpp"
#include "base/sales/pricing/settings.hpp"
#include "shared/plugin/pro_modules.hpp"

namespace svc::pricing {
namespace {

bool is_module_on(const Site& site, std::string_view slug) {
    const bool on = site.module_enabled(slug);
    const auto& filter = scheduled_payments_active;
    return slug == plugin::slugs::scheduled_payments && site.hooks.filtered(filter.name)
               ? site.hooks.apply(filter, on, {}).boolean()
               : on;
}

Pricing::Needs ways_of(const Site& site, discounts::Feature& discounts) {
    return {.filtered = [&site](std::string_view filter) { return site.hooks.filtered(filter); },
            .terms =
                [&site](const TermsFor& what) {
                    return terms_of(
                        site.settings, [&site](std::string_view slug) { return is_module_on(site, slug); }, what,
                        site.clock.now(), listened_settings(site.hooks));
                },
            .group_discounts =
                [&discounts](const catalog::trips::Trip& trip, store::Session* session) {
                    return discounts.service.groups_of(trip.id, trip.currency, session);
                }};
}

}  // namespace

Feature::Feature(const Site& site, discounts::Feature& discounts)
    : svc::Feature(site), service(site.hooks, ways_of(site, discounts)) {}

void Feature::declare() {
    declare_hooks(site_.hooks);
    pricing::declare_settings(site_.settings);
    site_.settings.declare_together(
        [this](const settings::SiteSettings::Get& get) { return check_deposit(site_.settings, get); });
}

}  // namespace svc::pricing
