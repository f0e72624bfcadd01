// What is true of the rows of modules; see shared/record/facts.hpp.
#pragma once

#include "shared/record/facts.hpp"

namespace svc::modules {

std::vector<facts::Table> table_facts();

}  // namespace svc::modules
