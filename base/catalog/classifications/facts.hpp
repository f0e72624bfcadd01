// What is true of the rows of classifications; see shared/record/facts.hpp.
#pragma once

#include "shared/record/facts.hpp"

namespace svc::catalog::classifications {

std::vector<facts::Table> table_facts();

}  // namespace svc::catalog::classifications
