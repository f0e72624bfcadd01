// Opens a plugin library so that only a file the operator put there, whole and unchanged, ever runs (promise S22).
#pragma once

#include <functional>
#include <string>

#include "shared/plugin/svc_plugin.h"

namespace svc::shell {

struct LibraryRules {
    std::string sha256 = {};                       // 64 hex digits the file must have; empty: any
    std::function<void()> after_checks = nullptr;  // for tests: runs between the checks and the load
};

struct Library {
    svc_plugin_entry_fn* entry = nullptr;  // valid as long as the process: a library is never unloaded
    bool missing = false;                  // there is no such file, which is no fault
    std::string refusal;                   // one sentence for the operator; empty when opened or missing
};

// `path` is absolute. The file and every folder above it belong to root or to this process's user, nobody else may
// write there (above the library's own folder: or it is sticky, as /tmp is), and none is a symbolic link. A child
// process that maps the open file checks the ABI note, the entry and the digest, before any of its code runs; then the
// child tries to load it, so that a library whose constructors throw, crash or hang (10 s) is rejected and the caller
// survives. Call it before other threads start. Never throws. [start-up]
Library open_library(const std::string& path, const LibraryRules& rules = {}) noexcept;

}  // namespace svc::shell
