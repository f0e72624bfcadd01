// Sentences for the operator about an SQLite file that cannot be used: which file, why, and what helps.
#pragma once

#include <string>

namespace svc::store {

// For a result code of SQLite, extended ones included.
std::string file_fault(const std::string& path, int code);

// The name of the user that runs this process, for messages.
std::string user_of_process();

}  // namespace svc::store
