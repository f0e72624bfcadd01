// Prices and dates of trips, wherever the former plugins and their releases kept them; for the sources of this folder
// alone.
#pragma once

#include <string>
#include <vector>

#include "base/legacy/wxr.hpp"
#include "shared/json/value.hpp"

namespace svc::legacy {

// Decimals; empty: none. A sale price that was turned off, is nothing or is not below the regular one is none.
struct OldPrice {
    std::string regular = {}, sale = {};
};

// `settings`: those that WP Travel Engine keeps of a trip in one meta.
OldPrice price_of_trip(const Item& trip, const json::Value& settings);
// {name, regular_price, sale_price} by who travels, all that the item has.
std::vector<json::Value> category_prices_of_trip(const Item& trip, const json::Value& settings);
std::vector<json::Value> category_prices_of_package(const Item& package);
// {start_date, end_date, time, seats} of departures on fixed dates, all that the item has.
std::vector<json::Value> dates_of_trip(const Item& trip);
std::vector<json::Value> dates_of_package(const Item& package);

}  // namespace svc::legacy
