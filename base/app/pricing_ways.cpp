// Gives prices their listeners, settings and group discounts.
#include "base/app/pricing_ways.hpp"

#include "base/pricing/settings.hpp"

namespace svc::app {

pricing::Pricing::Ways pricing_ways(Assembly& parts) {
    return {.filtered = [&parts](std::string_view filter) { return parts.hooks.filtered(filter); },
            .terms =
                [&parts](const pricing::TermsFor& what) {
                    return pricing::terms_of(
                        parts.settings, [&parts](std::string_view slug) { return parts.modules.enabled(slug); }, what,
                        parts.clock.now());
                },
            .group_discounts =
                [&parts](const catalog::trips::Trip& trip, store::Session* session) {
                    return parts.discounts.groups_of(trip.id, trip.currency, session);
                }};
}

}  // namespace svc::app
