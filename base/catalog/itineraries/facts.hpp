// What is true of the rows of itineraries; see shared/record/facts.hpp.
#pragma once

#include "shared/record/facts.hpp"

namespace svc::catalog::itineraries {

std::vector<facts::Table> table_facts();

}  // namespace svc::catalog::itineraries
