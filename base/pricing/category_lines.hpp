// What the travelers of each category cost.
#pragma once

#include <functional>
#include <vector>

#include "base/pricing/quote.hpp"

namespace svc::pricing {

// The price of one person or one group of a category after everybody who may change it was asked.
using UnitPrice = std::function<Money(Money listed, std::int64_t category_id)>;

// A line a category, in the trip's order. Per group: one price for up to max_pax people; more pay it again where the
// category says so, else they are refused. group_size for a number of people that a category does not take; the field
// traveler_counts for a category that is not offered on this trip or date.
Result<std::vector<Line>> category_lines(const catalog::trips::Trip& trip, const Request& request,
                                         const UnitPrice& unit_price);

}  // namespace svc::pricing
