// What the scripts of pages need to know of the two modules.
#pragma once

#include "pro/common/site.hpp"

namespace svc::pro::tracking {

// {"analytics": {"measurement_id", "is_debug", "events" {…}, "parameters" {…}} or null, "pixel": {"pixel_id", "events"
// {…}, "parameters" {…}} or null}. `events`: our key of each event that browsers report, to the partner's name.
// `parameters`: see parameters.hpp. Null: the module is off, or has no id.
// Reads settings alone; any thread.
json::Value browser_configuration(const Site& site);

}  // namespace svc::pro::tracking
