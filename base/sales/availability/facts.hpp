// What is true of the rows of availability; see shared/record/facts.hpp.
#pragma once

#include "shared/record/facts.hpp"

namespace svc::availability {

std::vector<facts::Table> table_facts();

}  // namespace svc::availability
