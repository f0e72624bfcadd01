// What is true of the rows of payments; see shared/record/facts.hpp.
#pragma once

#include "shared/record/facts.hpp"

namespace svc::payment {

std::vector<facts::Table> table_facts();

}  // namespace svc::payment
