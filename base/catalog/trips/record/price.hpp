// Prices of a trip: pairs of list price and reduced price, and prices by traveler category.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "shared/core/date.hpp"
#include "shared/core/money.hpp"

namespace svc::catalog::trips {

// A list price and its reduced price. A departure's pair replaces the trip's pair as a whole.
struct PricePair {
    Money regular;
    std::optional<Money> lowered;
    // The reduced price if it is above zero, else the list price.
    [[nodiscard]] Money effective() const;
    // By how many whole percent the effective price is lower than the list price; 0 when it is not.
    [[nodiscard]] int discount_percent() const;
    friend bool operator==(const PricePair&, const PricePair&) = default;
};

// A price of a traveler category that takes the place of the trip's on some dates.
struct CategoryPrice {
    std::int64_t category_id = 0;
    Money regular;
    std::optional<Money> lowered = {};
    friend bool operator==(const CategoryPrice&, const CategoryPrice&) = default;
};

using CategoryPrices = std::vector<CategoryPrice>;  // by category

// Travel dates with prices and seats of their own. They count before the trip's and after those that a departure or
// its rule has.
struct PricedSeason {
    Date first, last;                     // inclusive
    std::optional<PricePair> price = {};  // of everybody alike; empty: the trip's
    CategoryPrices by_category = {};      // a category that is missing has the trip's price
    std::optional<int> seats = {};        // of dates that rules and open days offer; empty: as the trip says
    std::string note = {};                // for staff alone
    friend bool operator==(const PricedSeason&, const PricedSeason&) = default;
};

// The current rules of a traveler category.
struct CategoryRules {
    std::string label, slug;
    bool per_group = false;  // a flat price for min_pax to max_pax people
    std::optional<int> min_pax, max_pax;
    bool per_block = false;  // more people than max_pax pay the price again; else they are refused
    std::optional<int> age_min, age_max;
    friend bool operator==(const CategoryRules&, const CategoryRules&) = default;
};

// The price of one traveler category on one trip.
struct PriceType {
    std::int64_t id = 0, category_id = 0;
    Money regular;
    std::optional<Money> discounted, sale;
    bool is_default = false;  // of exactly one
    std::optional<int> min_quantity, max_quantity;
    std::optional<Date> valid_from, valid_to;  // travel dates; outside the category is not offered
    CategoryRules category;

    [[nodiscard]] PricePair pair() const;
    [[nodiscard]] bool offered_on(Date date) const;
    friend bool operator==(const PriceType&, const PriceType&) = default;
};

// The unit of a price: "per person", "per group (1-2 pax)".
std::string unit_label(const CategoryRules* category);

}  // namespace svc::catalog::trips
