// The prices of single dates, by trip, as filters of the trip list look through them.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "base/catalog/trips/public/chunks.hpp"
#include "base/catalog/trips/public/public_query.hpp"
#include "base/sales/availability/record/departure.hpp"
#include "base/sales/availability/record/rule.hpp"

namespace svc::availability {

// Its number makes it one of its trip's.
struct DatedPrice : catalog::trips::DatePrices {
    std::size_t number = 0;
    friend bool operator==(const DatedPrice& a, const DatedPrice& b);
};

// The distinct prices of a trip's dates; empty when no date has its own. `planned`: without open days.
std::vector<DatedPrice> dated_prices(std::int64_t trip_id, const std::vector<Slot>& slots, std::span<const Rule> rules,
                                     bool planned);

// Of all trips, in their order. Immutable.
using PriceList = catalog::trips::Chunks<DatedPrice, 256>;
std::shared_ptr<const PriceList> price_list(std::vector<DatedPrice> prices);
// The same with other prices of one trip.
std::shared_ptr<const PriceList> replaced(const PriceList& list, const std::vector<DatedPrice>& before,
                                          const std::vector<DatedPrice>& after);

}  // namespace svc::availability
