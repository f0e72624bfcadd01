// What is true of the rows of accounts; see shared/record/facts.hpp.
#pragma once

#include "shared/record/facts.hpp"

namespace svc::identity {

std::vector<facts::Table> table_facts();

}  // namespace svc::identity
