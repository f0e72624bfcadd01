// The facts of all tables of the base, in the order of its features.
#pragma once

#include "shared/record/facts.hpp"

namespace svc::facts {

// Each feature with tables declares them in its folder, as table_facts(); base/app/facts.cpp lists the features. Built
// by the first caller; any thread.
const Facts& of_base();

}  // namespace svc::facts
