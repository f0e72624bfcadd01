// What parts have in common that are a list of rows: read by trip in their order, replaced as a whole.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "base/catalog/trips/part.hpp"
#include "shared/store/by_ids.hpp"

namespace svc::catalog::trips {

class RowsPart : public Part {
  public:
    void read(store::Session& session, std::span<const std::int64_t> trip_ids, const Take& take) const override {
        std::int64_t trip = 0;
        auto items = json::Value::array();
        const auto give = [&] {
            if (items.size() > 0)
                take(trip, std::exchange(items, json::Value::array()));
        };
        each(session, trip_ids, [&](const store::Row& row) {
            if (row.integer(0) != trip)
                give();
            trip = row.integer(0);
            items.push(item(row, static_cast<std::int64_t>(items.size())));
        });
        give();
    }

  protected:
    // The places of a list's items in the order they ask for by their member `order`; who asks for none stays.
    static std::vector<std::size_t> in_order(const json::Value& items) {
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
    // The rows of these trips, the trip's id first, by trip and order.
    virtual void each(store::Session& session, std::span<const std::int64_t> trip_ids,
                      const std::function<void(const store::Row&)>& take) const = 0;
    [[nodiscard]] virtual json::Value item(const store::Row& row, std::int64_t order) const = 0;
};

}  // namespace svc::catalog::trips
