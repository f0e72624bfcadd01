// Attaches the Pro edition.
#pragma once

#include "shared/plugin/host.hpp"

namespace svc::pro {

// The clock outlives the host: a test's, or the system's.
void attach(plugin::Host& host, const Clock& clock);

}  // namespace svc::pro
