// What must hold in a database at rest, by the one list of it.
#pragma once

#include <string>
#include <vector>

namespace svc::tests {

// The statements of tests/invariants.sql; each answers the rows that break it. Throws std::runtime_error without them.
std::vector<std::string> invariants();

}  // namespace svc::tests
