// Events of a person who is erased, or asks what is stored.
#pragma once

#include "pro/common/site.hpp"
#include "pro/tracking/catalogue.hpp"

namespace svc::pro::tracking {

void take_part_in_privacy(const Site& site, const Partner& partner);

}  // namespace svc::pro::tracking
