// Notices for staff about a licence that ends soon or has ended.
#pragma once

#include "pro/license/license.hpp"

namespace svc::pro::license {

// The base's list of notices, with one about this licence where it needs attention (hook svc_notices).
json::Value with_notice(const License& license, const json::Value& notices, Instant now);

}  // namespace svc::pro::license
