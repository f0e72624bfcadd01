// Receives each line of the log: the list of logs that staff read.
#pragma once

#include <functional>
#include <string_view>

#include "shared/core/log.hpp"

namespace svc::log {

// Called with each line that is written, without its newline, one call at a time: it returns at once and writes no line
// itself. An empty one ends that. Any thread.
using Follower = std::function<void(Level level, std::string_view event, std::string_view line)>;
void follow(Follower follower);

}  // namespace svc::log
