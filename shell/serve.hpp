// The running server: opens the base, listens, drains on a signal, stops.
#pragma once

#include <string>

#include "shell/config.hpp"
#include "shell/pro.hpp"

namespace svc::shell {

// The release, from CMakeLists.txt.
const char* version();

// Returns the exit code when the server has stopped. Throws std::runtime_error when it cannot start.
int serve(const Config& config, const Pro& pro);

}  // namespace svc::shell
