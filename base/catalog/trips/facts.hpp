// What is true of the rows of trips; see shared/record/facts.hpp.
#pragma once

#include "shared/record/facts.hpp"

namespace svc::catalog::trips {

std::vector<facts::Table> table_facts();

}  // namespace svc::catalog::trips
