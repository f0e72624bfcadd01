// What is true of the rows of rate limits; see shared/record/facts.hpp.
#pragma once

#include "shared/record/facts.hpp"

namespace svc::limits {

std::vector<facts::Table> table_facts();

}  // namespace svc::limits
