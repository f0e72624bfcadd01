// From settings to the configuration of scripts.
#include "pro/tracking/browser.hpp"

#include "pro/tracking/parameters.hpp"
#include "pro/tracking/settings.hpp"

namespace svc::pro::tracking {
namespace {

using json::Value;

Value events_of(const Site& site, const Partner& partner) {
    Value events = Value::object();
    for (const EventKind& kind : event_kinds())
        if (kind.by_browser && reports(site, partner, kind))
            events.set(std::string(kind.key), name_at(kind, partner));
    return events;
}

Value part_of(const Site& site, const Partner& partner, const char* id_name) {
    if (!site.modules.enabled(partner.module))
        return {};
    const std::string id = site.settings.text(partner.id_setting);
    if (!is_id(partner, id))
        return {};  // PUT /settings takes any text
    return Value::object(
        {{id_name, id}, {"events", events_of(site, partner)}, {"parameters", parameters_now(site, partner)}});
}

}  // namespace

Value browser_configuration(const Site& site) {
    Value analytics = part_of(site, google, "measurement_id");
    if (analytics.is_object())
        analytics.set("is_debug", site.settings.get(ga_debug_setting));
    return Value::object({{"analytics", std::move(analytics)}, {"pixel", part_of(site, meta, "pixel_id")}});
}

}  // namespace svc::pro::tracking
