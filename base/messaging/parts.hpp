// What all parts of messaging use.
#pragma once

#include <string>

#include "base/messaging/bookings.hpp"
#include "base/platform/events/events.hpp"
#include "base/settings/settings.hpp"

namespace svc::messaging {

// Everything that it refers to outlives the parts.
struct Parts {
    const settings::Settings& settings;
    events::Events& hooks;
    const Clock& clock;
    const Bookings& bookings;
    std::string site_url;  // without a slash at its end
};

}  // namespace svc::messaging
