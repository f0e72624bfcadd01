// What is true of the rows of enquiries; see shared/record/facts.hpp.
#pragma once

#include "shared/record/facts.hpp"

namespace svc::enquiries {

std::vector<facts::Table> table_facts();

}  // namespace svc::enquiries
