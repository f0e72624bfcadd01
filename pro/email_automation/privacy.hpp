// The part of e-mail automation in exports and erasures of a person's data.
#pragma once

#include "pro/common/site.hpp"

namespace svc::pro::email_automation {

void take_part_in_privacy(const Site& site);

}  // namespace svc::pro::email_automation
