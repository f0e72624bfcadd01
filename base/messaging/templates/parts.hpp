// The services that all parts of messaging use.
#pragma once

#include <memory>
#include <string>

#include "base/messaging/templates/bookings.hpp"
#include "base/messaging/templates/plugin_templates.hpp"
#include "base/platform/events/events.hpp"
#include "base/settings/values/settings.hpp"

namespace svc::messaging {

// Everything that it refers to outlives the parts.
struct Parts {
    const settings::Settings& settings;
    events::Events& hooks;
    const Clock& clock;
    const Bookings& bookings;
    std::string site_url;  // without a slash at its end
    std::shared_ptr<PluginTemplates> plugin_templates = std::make_shared<PluginTemplates>();
};

}  // namespace svc::messaging
