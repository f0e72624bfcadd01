// Gives prices their listeners, settings and group discounts.
#include "base/app/pricing_ways.hpp"

#include "base/pricing/hooks.hpp"
#include "base/pricing/settings.hpp"

namespace svc::app {
namespace {

// Empty while nobody listens, so that a price is not asked a dozen times for nothing.
pricing::Listened listened(const Assembly& parts) {
    const auto heard = [&parts](const hooks::Filter& filter) { return parts.hooks.filtered(filter.name); };
    if (!heard(pricing::flexible_payment_setting) && !heard(pricing::scheduled_payment_setting))
        return {};
    return [&parts](std::string_view key, const json::Value& stored) {
        return parts.hooks.apply(pricing::is_of_scheduled_payments(key) ? pricing::scheduled_payment_setting
                                                                        : pricing::flexible_payment_setting,
                                 stored, {json::Value(key)});
    };
}

bool module_on(const Assembly& parts, std::string_view slug) {
    const bool on = parts.modules.enabled(slug);
    const auto& filter = pricing::scheduled_payments_active;
    return slug == "scheduled_payments" && parts.hooks.filtered(filter.name)
               ? parts.hooks.apply(filter, on, {}).boolean()
               : on;
}

}  // namespace

pricing::Pricing::Ways pricing_ways(Assembly& parts) {
    return {.filtered = [&parts](std::string_view filter) { return parts.hooks.filtered(filter); },
            .terms =
                [&parts](const pricing::TermsFor& what) {
                    return pricing::terms_of(
                        parts.settings, [&parts](std::string_view slug) { return module_on(parts, slug); }, what,
                        parts.clock.now(), listened(parts));
                },
            .group_discounts =
                [&parts](const catalog::trips::Trip& trip, store::Session* session) {
                    return parts.discounts.service.groups_of(trip.id, trip.currency, session);
                }};
}

}  // namespace svc::app
