// Events of a person that is erased.
#pragma once

#include "pro/common/site.hpp"

namespace svc::pro::webhooks {

void take_part_in_privacy(const Site& site);

}  // namespace svc::pro::webhooks
