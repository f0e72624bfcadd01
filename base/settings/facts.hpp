// What is true of the rows of settings; see shared/record/facts.hpp.
#pragma once

#include "shared/record/facts.hpp"

namespace svc::settings {

std::vector<facts::Table> table_facts();

}  // namespace svc::settings
