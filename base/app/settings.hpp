// The settings of the interface as a whole that belong to no feature.
#pragma once

#include "base/settings/values/settings.hpp"

namespace svc::app {

inline void declare_settings(settings::Settings& settings) {
    settings.declare({.key = "public_rate_limit",
                      .type = api::integer(0, 100'000),
                      .initial = 120,
                      .help = "Writing requests per minute from one IP address without signing in; 0: no limit.",
                      .group = "advanced"});
}

}  // namespace svc::app
