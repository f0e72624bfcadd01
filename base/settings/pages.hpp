// Settings that the pages of a theme go by: the server keeps and tells them, and makes addresses of some.
#pragma once

#include "base/settings/site_settings.hpp"

namespace svc::settings {

void declare_pages(SiteSettings& settings);  // [start-up]

}  // namespace svc::settings
