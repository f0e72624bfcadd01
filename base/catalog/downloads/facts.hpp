// What is true of the rows of downloads; see shared/record/facts.hpp.
#pragma once

#include "shared/record/facts.hpp"

namespace svc::catalog::downloads {

std::vector<facts::Table> table_facts();

}  // namespace svc::catalog::downloads
