// Notices for staff about a licence that needs somebody.
#pragma once

#include "pro/license/state.hpp"

namespace svc::pro::license {

// The base's list of notices, with one about this state where it needs attention (hook svc_notices).
json::Value with_notice(const State& state, const json::Value& notices, Instant now);

}  // namespace svc::pro::license
