// Settings of the pages and of themes; some become addresses.
#pragma once

#include "base/settings/values/site_settings.hpp"

namespace svc::settings {

void declare_pages(SiteSettings& settings);  // [start-up]

}  // namespace svc::settings
