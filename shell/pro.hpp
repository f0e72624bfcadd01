// Finds the configured Pro library and opens it safely; without it the base serves alone.
#pragma once

#include <string>

#include "shared/plugin/svc_plugin.h"
#include "shell/config.hpp"

namespace svc::shell {

struct Pro {
    svc_plugin_entry_fn* entry = nullptr;  // null: none, or refused
    std::string path;                      // the examined file; empty when Pro is disabled or not installed
    std::string refusal;                   // one sentence, empty unless a library was there and not taken
};

// The folder that the base library was loaded from, wherever that is: an installation may be moved, a build tree run
// from. Empty where it is unknown.
std::string folder_of_the_base();

// Never throws for a library that is missing, broken or in the wrong hands. [start-up]
Pro open_pro(const Config& config);

}  // namespace svc::shell
