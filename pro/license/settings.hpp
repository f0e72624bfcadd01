// The settings of the licence.
#pragma once

#include "shared/plugin/host.hpp"

namespace svc::pro::license {

inline void declare_settings(plugin::Settings& settings) {
    settings.declare({.key = "license_store_url",
                      .type = api::text(500),
                      .initial = "",
                      .help = "The https address of the licence server; empty for none.",
                      .group = "license"});
    settings.declare({.key = "license_upgrade_url",
                      .type = api::text(500),
                      .initial = "",
                      .help = "Address where administrators buy or upgrade a licence.",
                      .group = "license"});
}

}  // namespace svc::pro::license
