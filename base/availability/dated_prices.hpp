// The prices of single dates, by trip, as filters of the trip list look through them.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "base/availability/departure.hpp"
#include "base/availability/rule.hpp"
#include "base/catalog/trips/chunks.hpp"
#include "base/catalog/trips/public_query.hpp"

namespace svc::availability {

struct DatedPrice {
    std::int64_t trip_id = 0;
    Money price;
    bool of_category = false;  // of a traveler category
    catalog::trips::Counts counts = catalog::trips::Counts::as_trip;
    Date last;  // of the dates that cost this
    friend bool operator==(const DatedPrice&, const DatedPrice&) = default;
};

// What dates of one trip cost where they say so themselves; each price once, sorted.
std::vector<DatedPrice> dated_prices(std::int64_t trip_id, const std::vector<Slot>& slots, std::span<const Rule> rules);

// Of all trips, in their order. Immutable.
using PriceList = catalog::trips::Chunks<DatedPrice, 256>;
std::shared_ptr<const PriceList> price_list(std::vector<DatedPrice> prices);
// The same with other prices of one trip.
std::shared_ptr<const PriceList> replaced(const PriceList& list, const std::vector<DatedPrice>& before,
                                          const std::vector<DatedPrice>& after);

}  // namespace svc::availability
