// What prices ask of the rest of the installation.
#pragma once

#include "base/app/assembly.hpp"

namespace svc::app {

// Refers to the assembly; nothing is asked before it is built.
pricing::Pricing::Ways pricing_ways(Assembly& parts);

}  // namespace svc::app
