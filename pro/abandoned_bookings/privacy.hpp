// Abandoned bookings of a person: exported with their data, and gone after its erasure.
#pragma once

#include "pro/common/site.hpp"

namespace svc::pro::abandoned_bookings {

void take_part_in_privacy(const Site& site);

}  // namespace svc::pro::abandoned_bookings
