// Base of parts that are a list of rows: read by trip in their order, replaced as a whole.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "base/catalog/trips/record/part.hpp"
#include "shared/store/read_rows.hpp"

namespace svc::catalog::trips {

// Collects the items of each trip from rows that come by trip and order. Call finish() after the last.
class ItemsByTrip {
  public:
    explicit ItemsByTrip(const Part::Take& take) : take_(take) {}

    // The list that the trip's next item is added to.
    json::Value& of(std::int64_t trip_id) {
        if (trip_id != trip_)
            finish();
        trip_ = trip_id;
        return items_;
    }
    void finish() {
        if (items_.size() > 0)
            take_(trip_, std::exchange(items_, json::Value::array()));
    }

  private:
    const Part::Take& take_;
    std::int64_t trip_ = 0;
    json::Value items_ = json::Value::array();
};

// The positions of items sorted by their member `order`; it defaults to the position.
inline std::vector<std::size_t> in_order(const json::Value& items) {
    std::vector<std::pair<std::int64_t, std::size_t>> wished;
    for (std::size_t i = 0; i < items.size(); ++i)
        wished.emplace_back(items[i].maybe_integer("order").value_or(static_cast<std::int64_t>(i)), i);
    std::sort(wished.begin(), wished.end());
    std::vector<std::size_t> places;
    places.reserve(wished.size());
    for (const auto& [order, place] : wished)
        places.push_back(place);
    return places;
}

}  // namespace svc::catalog::trips
