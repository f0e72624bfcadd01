// What is true of the rows of reviews; see shared/record/facts.hpp.
#pragma once

#include "shared/record/facts.hpp"

namespace svc::reviews {

std::vector<facts::Table> table_facts();

}  // namespace svc::reviews
