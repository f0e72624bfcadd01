// The operator's commands that move data: export, import, restore.
#pragma once

#include <string>
#include <vector>

#include "shell/config.hpp"
#include "shell/pro.hpp"

namespace svc::shell::commands {

// Each shows its progress and answers the exit code.
int export_to(const Config& config, const Pro& pro, const std::string& path, const svc::commands::ExportWish& wish);
int import_from(const Config& config, const Pro& pro, const std::string& path, const svc::commands::ImportWish& wish);
int restore(const Config& config, const std::string& path, const svc::commands::RestoreChoice& choice);

}  // namespace svc::shell::commands
