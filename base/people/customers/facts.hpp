// What is true of the rows of customers; see shared/record/facts.hpp.
#pragma once

#include "shared/record/facts.hpp"

namespace svc::customers {

std::vector<facts::Table> table_facts();

}  // namespace svc::customers
