// Registers notices, counters and usage reports.
#include "base/admin/notices/feature.hpp"

#include "base/admin/notices/hooks.hpp"
#include "base/admin/notices/routes.hpp"

namespace svc::notices {

Feature::Feature(const Site& site) : svc::Feature(site), notices(site), counters(site), usage(site) {
    for (auto& source : own_sources(site))
        notices.add(std::move(source));
    for (auto& section : own_sections())
        counters.add(std::move(section));
}

void Feature::declare() {
    declare_hooks(site_.hooks);
    site_.settings.declare({.key = usage_setting,
                            .type = api::boolean(),
                            .initial = false,
                            .help = "Send a weekly report on how this program is used; GET /usage-tracking/preview"
                                    " shows it word for word. Builds without an address for it send nothing.",
                            .group = "advanced"});
}

void Feature::add_routes() {
    add_notice_routes(site_.routes, notices, counters);
    add_usage_routes(site_.routes, usage);
}

}  // namespace svc::notices
