// Signed consents and requests of a person in the export and the erasure of their data, and what is deleted by the
// clock.
#pragma once

#include "pro/common/site.hpp"

namespace svc::pro::consent {

void take_part_in_privacy(const Site& site);

// Nightly deletions by the base. [start-up]
void add_housekeeping(const Site& site);

// The job: answers about health whose time after the trip is over, with the PDF that has them; whether the module is
// enabled or not. How many copies.
Result<json::Value> delete_health(const Site& site, Instant now);

}  // namespace svc::pro::consent
