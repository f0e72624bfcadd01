// Takes part when a person's data is exported and erased.
#pragma once

#include "pro/common/site.hpp"

namespace svc::pro::scheduled_payments {

// The site outlives the listeners. An older base has neither filter: then nothing is done. [start-up]
void take_part_in_privacy(const Site& site);

}  // namespace svc::pro::scheduled_payments
