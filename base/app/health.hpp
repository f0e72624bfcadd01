// Whether this process is ready, and which problems an operator must fix (promise R19).
#pragma once

#include "base/app/assembly.hpp"
#include "base/platform/store/database_file.hpp"

namespace svc::app {

Readiness readiness_of(Assembly& parts, const store::DatabaseFile& file);
// The checks of `svc doctor`, which need no running server. `steps`: of the plugin that would be attached.
std::vector<commands::Finding> findings_of(const BaseOptions& options, const std::vector<plugins::PluginStep>& steps);

}  // namespace svc::app
