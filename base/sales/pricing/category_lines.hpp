// The price of the travelers of each category.
#pragma once

#include <functional>
#include <vector>

#include "base/sales/pricing/quote.hpp"

namespace svc::pricing {

// The price of one person or group of a category after the listeners.
using UnitPrice = std::function<Money(const catalog::trips::PricePair& listed, std::int64_t category_id)>;

// One line per category, in the trip's order. Per group: one price for up to max_pax people; more pay it again if the
// category allows it, else they are rejected. group_size for a number that a category does not allow; the field
// traveler_counts for a category that this trip or date does not offer.
Result<std::vector<Line>> category_lines(const catalog::trips::Trip& trip, const Request& request,
                                         const UnitPrice& unit_price);

}  // namespace svc::pricing
