// What a trip costs: pairs of a list price and what it is lowered to, and prices by traveler category.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "shared/core/date.hpp"
#include "shared/core/money.hpp"

namespace svc::catalog::trips {

// A list price and what it is lowered to. Both travel together from one level to the next (departure, then trip).
struct PricePair {
    Money regular;
    std::optional<Money> lowered;
    // What is paid: the lowered price if it is above zero, else the list price.
    [[nodiscard]] Money effective() const;
    // Whole percent that the effective price lies below the list price, 0 when it does not.
    [[nodiscard]] int discount_percent() const;
    friend bool operator==(const PricePair&, const PricePair&) = default;
};

// What a traveler category says itself, as it is now.
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

// The words beside a price: "per person", "per group (1-2 pax)".
std::string unit_label(const CategoryRules* category);

}  // namespace svc::catalog::trips
