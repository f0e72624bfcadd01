// Leads addresses below a base that the operator has changed to the pages where they are now.
#pragma once

#include <string>
#include <string_view>

#include "base/settings/values/site_settings.hpp"
#include "base/website/pages/router.hpp"

namespace svc::pages {

// Keeps the previous values of each permalink base beside it. [start-up]
void declare_former_bases(settings::SiteSettings& settings);

// The path below the base of today; empty: it does not begin with a former base.
std::string moved_path(const settings::Settings& settings, const Bases& bases, std::string_view path);

}  // namespace svc::pages
