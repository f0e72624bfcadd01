// The page /consent/{token}: a traveler or a guardian reads a form and signs it.
#pragma once

#include "pro/common/site.hpp"
#include "pro/consent/signing.hpp"

namespace svc::pro::consent {

// Adds the page and its script. `signing` outlives them. [start-up]
void add_pages(const Site& site, const Signing& signing);

}  // namespace svc::pro::consent
