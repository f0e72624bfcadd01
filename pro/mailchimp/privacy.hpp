// What is kept about a person, for the export and the erasure of their data.
#pragma once

#include "pro/common/site.hpp"

namespace svc::pro::mailchimp {

void take_part_in_privacy(const Site& site);

}  // namespace svc::pro::mailchimp
