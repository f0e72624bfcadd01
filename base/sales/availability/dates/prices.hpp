// The prices of dates as listeners of svc_date_prices leave them.
#pragma once

#include <span>

#include "base/sales/availability/dates/dates.hpp"
#include "shared/hooks/hooks.hpp"

namespace svc::availability {

// One call for all of them. Takes prices alone: a row that is missing or malformed changes nothing. Any thread.
void take_date_prices(const hooks::Hooks& hooks, const catalog::trips::Trip& trip, std::span<Bookable> dates,
                      int travelers);

}  // namespace svc::availability
