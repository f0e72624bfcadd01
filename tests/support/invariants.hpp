// The invariants of a database at rest, from the one list of them.
#pragma once

#include <string>
#include <vector>

#include "shared/store/store.hpp"

namespace svc::tests {

// The statements of tests/invariants.sql; each answers the rows that break it. Throws std::runtime_error without them.
const std::vector<std::string>& invariants();

// Those of them that some row of this database breaks.
std::vector<std::string> broken_invariants(store::Store& store);

// At a site's end: a failure of its test for each of them. Not while the test is left by an exception.
void check_invariants(store::Store& store);

}  // namespace svc::tests
