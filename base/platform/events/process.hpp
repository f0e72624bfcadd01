// The name of this process among all that share a database.
#pragma once

#include <string>

namespace svc::events {

// "host:pid:16 hex digits"; the digits are random, as pids and even host names come again. The same for the life of
// the process. Any thread.
const std::string& process_name();

}  // namespace svc::events
