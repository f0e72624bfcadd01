// Events that name a person who is erased.
#pragma once

#include "pro/common/site.hpp"

namespace svc::pro::google_calendar {

void take_part_in_privacy(const Site& site);

}  // namespace svc::pro::google_calendar
