// What of the program's own files lies in memory.
#pragma once

namespace svc::shell {

// Gives back the pages of code and constants that only the start needed: declaring routes, hooks and settings reads
// most of every library once. They are unchanged pages of files, and what is used again comes back from the system's
// cache at the first use, at a microsecond or so each. [any thread]
void give_back_code();

}  // namespace svc::shell
