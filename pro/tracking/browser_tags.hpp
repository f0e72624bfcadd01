// The browser half of the two modules: the tags by which the base's pages load their scripts.
#pragma once

#include "pro/common/site.hpp"

namespace svc::pro::tracking {

// Offer script and tag, which stand on pages only while the module is on and for visitors who allowed it. On a base
// that does not ask visitors they do nothing. [start-up], once the module is declared
void offer_analytics_tag(const Site& site);
void offer_pixel_tag(const Site& site);

}  // namespace svc::pro::tracking
