// What an account holder saved is in their export, and ends with an erasure.
#pragma once

#include "pro/common/site.hpp"

namespace svc::pro::saved_trips {

void take_part_in_privacy(const Site& site);

}  // namespace svc::pro::saved_trips
