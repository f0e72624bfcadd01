// Whether this process is ready, and which problems an operator must fix (promise R19).
#pragma once

#include "base/app/assembly.hpp"
#include "base/platform/store/database_file.hpp"

namespace svc::app {

Readiness readiness_of(Assembly& parts, const store::DatabaseFile& file);
// Editions that do not know all of each other: what a plugin asks for and this base lacks, and modules of the catalogue
// that an older Pro does not have; each with the edition to upgrade. Empty without Pro.
std::vector<commands::Finding> pair_findings(const plugins::Plugins& plugins, const modules::SiteModules& modules);
// The checks of `svc doctor`, which need no running server. `steps`: of the plugin that would be attached.
std::vector<commands::Finding> findings_of(const BaseOptions& options, const std::vector<plugins::PluginStep>& steps);

}  // namespace svc::app
