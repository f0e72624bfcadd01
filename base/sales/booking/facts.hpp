// What is true of the rows of bookings; see shared/record/facts.hpp.
#pragma once

#include "shared/record/facts.hpp"

namespace svc::booking {

std::vector<facts::Table> table_facts();

}  // namespace svc::booking
