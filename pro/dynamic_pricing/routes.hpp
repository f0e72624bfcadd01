// The routes of dynamic pricing besides those of its rules.
#pragma once

#include "pro/dynamic_pricing/pricing.hpp"

namespace svc::pro::dynamic_pricing {

// POST /dynamic-pricing/preview and simulate-rule; GET /dynamic-pricing/statistics; GET and PUT
// /dynamic-pricing/settings. `note_change` runs last in each transaction that writes. All that is passed outlives them.
void add_routes(const Site& site, Pricing& pricing, std::function<void(store::Transaction&)> note_change);

}  // namespace svc::pro::dynamic_pricing
