// What is true of the rows of e-mails; see shared/record/facts.hpp.
#pragma once

#include "shared/record/facts.hpp"

namespace svc::messaging {

std::vector<facts::Table> table_facts();

}  // namespace svc::messaging
