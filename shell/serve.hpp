// The running server: opens the base, listens, drains on a signal, stops.
#pragma once

#include <string>

#include "shell/config.hpp"
#include "shell/pro.hpp"

namespace svc::shell {

// The release of the base, from base/VERSION.
const char* version();

// A line for each edition that this program would serve: "svc 3.0.0", and "svc-pro 3.0.0" or why Pro is refused.
std::string versions(const Config& config);

// Returns the exit code when the server has stopped. Throws std::runtime_error when it cannot start.
int serve(const Config& config, const Pro& pro);

}  // namespace svc::shell
