// Resident pages of the program's files.
#pragma once

namespace svc::shell {

// Releases pages of code and constants that only the start needed: declaring routes, hooks and settings reads most of
// every library once. They are unchanged pages of files, and come back from the system's cache at their next use,
// within about a microsecond each. [any thread]
void give_back_code();

}  // namespace svc::shell
