// Prices and dates of trips, wherever the former plugins and their releases kept them; for the sources of this folder
// alone.
#pragma once

#include <string>
#include <vector>

#include "base/data/wordpress_import/left_out.hpp"
#include "base/data/wordpress_import/wxr.hpp"
#include "shared/core/date.hpp"
#include "shared/json/value.hpp"

namespace svc::wordpress_import {

// Decimals; empty: none. A sale price that was turned off, is nothing or is not below the regular one is none.
struct OldPrice {
    std::string regular = {}, sale = {};
};

// {name, regular_price, sale_price, group_size, per_block, min, max}: by who travels. With `group_size` it is of so
// many people together, "0" of any number; `per_block` makes more people another group. `min` and `max` are people of a
// booking.
using CategoryPrices = std::vector<json::Value>;

struct TripPrices {
    OldPrice whole;  // of the trip
    CategoryPrices categories;
    // They are no prices per person: without them the trip would be sold at a wrong price.
    bool belong_to_trip = false;
};

// `settings`: those that WP Travel Engine keeps of a trip in one meta. Counts in `left` what no price here can say.
TripPrices prices_of_trip(const Item& trip, const json::Value& settings, LeftOut& left);
// A group of these is as large as the trip allows.
CategoryPrices category_prices_of_package(const Item& package);
bool is_by_group(const CategoryPrices& prices);

// The most travelers on a day; empty: nothing is said.
std::string seats_of_trip(const Item& trip, const json::Value& settings);
// The least travelers of a booking.
std::string least_travelers(const Item& trip, const json::Value& settings);

// {start_date, end_date, time, seats} of departures, all that the item has.
std::vector<json::Value> dates_of_trip(const Item& trip, Date today, LeftOut& left);
std::vector<json::Value> dates_of_package(const Item& package, Date today, LeftOut& left);

// The ranges of days on which a tour of Yatra may start; none: on every day.
struct DayRange {
    std::string first, last;
};
std::vector<DayRange> ranges_of_tour(const Item& tour);

// The price of one day, by the rows of Yatra's table: {regular, sale} in the members `regular_price` and `sale_price`.
OldPrice price_from(const std::string& regular, const std::string& sale);
// Adds the departures of a range or rule.
struct DepartureDays;
void add_days(std::vector<json::Value>& dates, const DepartureDays& found, const std::string& seats, LeftOut& left);

}  // namespace svc::wordpress_import
