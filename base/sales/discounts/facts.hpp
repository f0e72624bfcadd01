// What is true of the rows of discounts; see shared/record/facts.hpp.
#pragma once

#include "shared/record/facts.hpp"

namespace svc::discounts {

std::vector<facts::Table> table_facts();

}  // namespace svc::discounts
