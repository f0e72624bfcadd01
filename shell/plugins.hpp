// Opens the plugins beside Pro: each library of one folder, if its digest is the one that the operator recorded.
#pragma once

#include <string>
#include <vector>

#include "shared/plugin/svc_plugin.h"
#include "shell/config.hpp"

namespace svc::shell {

struct FurtherPlugins {
    std::vector<svc_plugin_entry_fn*> entries;  // by the names of their files
    std::vector<std::string> refusals;          // one sentence for each library that was not taken
};

// Every NAME.so of `plugins.folder` whose SHA-256 is written in NAME.so.sha256 beside it (a line of sha256sum is taken
// too). A library without that file is refused: a file that somebody dropped there must not run. The rules of
// library.hpp hold for each. Never throws for a folder or library that is missing, broken or in the wrong hands.
// [start-up]
FurtherPlugins open_further_plugins(const Config& config);

}  // namespace svc::shell
