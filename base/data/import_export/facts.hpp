// What is true of the rows of imports; see shared/record/facts.hpp.
#pragma once

#include "shared/record/facts.hpp"

namespace svc::import_export {

std::vector<facts::Table> table_facts();

}  // namespace svc::import_export
