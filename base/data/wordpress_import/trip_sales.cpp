// Reads the metas by their published names: Yatra 1 and 2, WP Travel before and since 4, WP Travel Engine before and
// since 5.
#include "base/data/wordpress_import/trip_sales.hpp"

#include <algorithm>
#include <functional>

#include "base/data/wordpress_import/old_values.hpp"
#include "base/data/wordpress_import/php_values.hpp"
#include "base/data/wordpress_import/recurrence.hpp"

namespace svc::wordpress_import {
namespace {

using json::Value;
using old::first_meta, old::set_if, old::text_at, old::text_of;

constexpr json::Limits structure_limits{.depth = 32, .elements = 200'000, .text = 2 << 20};

// Some metas are JSON, most are PHP's.
Value structure_of(const Item& item, std::string_view key) {
    Value stored = meta_value(item.meta_of(key));
    if (stored.is_string() && (stored.text().starts_with('[') || stored.text().starts_with('{')))
        if (auto parsed = json::parse(stored.text(), structure_limits))
            return std::move(*parsed);
    return stored;
}

// Calls `take` for each member of a list or of a PHP array with other keys.
void each_member(const Value& list, const std::function<void(const Value&)>& take) {
    if (list.is_array())
        for (const Value& one : list.items())
            take(one);
    else if (list.is_object())
        for (const auto& [key, one] : list.members())
            take(one);
}

// Values of an unticked box.
bool is_off(const std::string& stored) {
    return stored.empty() || stored == "0" || stored == "no" || stored == "false";
}

// Compares two decimals in the notation of decimal_of().
bool is_below(const std::string& left, const std::string& right) {
    const auto parts = [](const std::string& text) {
        const auto point = std::min(text.find('.'), text.size());
        std::string whole = text.substr(0, point), rest = text.substr(std::min(point + 1, text.size()));
        whole.erase(0, std::min(whole.find_first_not_of('0'), whole.size()));
        rest.erase(rest.find_last_not_of('0') + 1);
        return std::tuple(whole.size(), whole, rest);
    };
    return parts(left) < parts(right);
}

// How a price counts people; empty members: nothing is said.
struct People {
    std::string group_size = {};  // "0": a group of any size
    bool per_block = false;
    std::string least = {}, most = {};
};

std::string some_number(const std::string& text) {
    std::string digits = old::whole_of(text);
    return digits == "0" || digits.size() > 5 ? std::string() : digits;
}

void add_price(CategoryPrices& prices, const std::string& name, const OldPrice& price, const People& people = {}) {
    if (name.empty() || price.regular.empty())
        return;
    auto fields = Value::object({{"name", name}, {"regular_price", price.regular}});
    set_if(fields, "sale_price", price.sale);
    set_if(fields, "group_size", people.group_size);
    if (people.per_block)
        fields.set("per_block", true);
    set_if(fields, "min", people.least);
    set_if(fields, "max", people.most);
    prices.push_back(std::move(fields));
}

// {price, sale_price, enable_sale} of WP Travel's options and of WP Travel Engine's settings.
OldPrice price_with_switch(const Value& one) {
    return price_from(text_at(one, {"price"}),
                      is_off(text_at(one, {"enable_sale"})) ? std::string() : text_at(one, {"sale_price"}));
}

void add_date(std::vector<Value>& dates, const std::string& start, const std::string& end, const std::string& seats) {
    auto fields = Value::object();
    const std::string first = old::date_of(start), last = old::date_of(end);
    if (first.empty())
        return;
    fields.set("start_date", first);
    if (last > first)
        fields.set("end_date", last);
    set_if(fields, "time", old::time_of(start));
    if (const std::string whole = old::whole_of(seats); !whole.empty() && whole != "0")
        fields.set("seats", whole);
    dates.push_back(std::move(fields));
}

// Yatra: the price of a group is paid for each beginning group, and a price of its own may leave it to the tour.
People people_of_yatra(const std::string& per, const std::string& size) {
    const std::string of_group = some_number(size);
    if (per != "group" || of_group.empty() || of_group == "1")
        return {};
    return {.group_size = of_group, .per_block = true};
}

CategoryPrices prices_of_yatra(const Item& trip, bool& belong_to_trip) {
    CategoryPrices prices;
    const std::string per = first_meta(trip, {"yatra_tour_meta_price_per"}),
                      size = first_meta(trip, {"yatra_tour_meta_group_size"}),
                      label = first_meta(trip, {"yatra_tour_meta_pricing_label"}),
                      most = some_number(first_meta(trip, {"yatra_tour_maximum_pax"}));
    each_member(structure_of(trip, "yatra_multiple_pricing"), [&](const Value& one) {
        const std::string own_per = text_at(one, {"pricing_per"});
        People people =
            own_per.empty() ? people_of_yatra(per, size) : people_of_yatra(own_per, text_at(one, {"group_size"}));
        people.least = some_number(text_at(one, {"minimum_pax"}));
        people.most = some_number(text_at(one, {"maximum_pax"}));
        belong_to_trip = belong_to_trip || !people.group_size.empty();
        add_price(prices, text_at(one, {"pricing_label", "title"}),
                  price_from(text_at(one, {"regular_price"}), text_at(one, {"sales_price", "sale_price"})), people);
    });
    if (!prices.empty())
        return prices;
    People people = people_of_yatra(per, size);
    const std::string a_day = some_number(first_meta(trip, {"yatra_tour_maximum_number_of_traveller"}));
    // A limit of a booking below the seats of a day can be said of a category alone.
    const bool is_limited =
        !most.empty() && (a_day.empty() || most.size() < a_day.size() || (most.size() == a_day.size() && most < a_day));
    if (people.group_size.empty() && !is_limited)
        return prices;
    if (is_limited)
        people.most = most;
    belong_to_trip = true;
    add_price(prices, label.empty() ? "Guest" : label,
              price_from(first_meta(trip, {"yatra_tour_meta_regular_price", "yatra_tour_meta_tour_price"}),
                         first_meta(trip, {"yatra_tour_meta_sales_price"})),
              people);
    return prices;
}

OldPrice whole_price(const Item& trip, const Value& settings) {
    const OldPrice of_yatra =
        price_from(first_meta(trip, {"yatra_tour_meta_regular_price", "yatra_tour_meta_tour_price"}),
                   first_meta(trip, {"yatra_tour_meta_sales_price"}));
    if (!of_yatra.regular.empty())
        return of_yatra;
    const std::string on_sale = trip.meta_of("wp_travel_enable_sale");
    const OldPrice of_travel =
        price_from(first_meta(trip, {"wp_travel_price", "wp_travel_trip_price"}),
                   is_off(on_sale) && !on_sale.empty() ? std::string() : first_meta(trip, {"wp_travel_sale_price"}));
    if (!of_travel.regular.empty())
        return of_travel;
    // The former price, and the present one where that is lower.
    const std::string present = text_at(settings, {"trip_price"}), former = text_at(settings, {"trip_prev_price"});
    for (const OldPrice& price : {price_from(first_meta(trip, {"wp_travel_engine_setting_trip_prev_price"}),
                                             is_off(text_at(settings, {"sale"})) ? std::string() : present),
                                  price_from(former, is_off(text_at(settings, {"sale"})) ? std::string() : present),
                                  price_from(first_meta(trip, {"wp_travel_engine_setting_trip_actual_price",
                                                               "wp_travel_engine_setting_trip_price"}),
                                             {}),
                                  price_from(present, {})})
        if (!price.regular.empty())
            return price;
    OldPrice first;
    const auto take = [&](const Value& one) {
        if (first.regular.empty())
            first = price_with_switch(one);
    };
    each_member(structure_of(trip, "wp_travel_pricing_options"), take);
    each_member(settings["multiple_pricing"], take);
    return first;
}

}  // namespace

OldPrice price_from(const std::string& regular, const std::string& sale) {
    OldPrice price{old::decimal_of(regular), old::decimal_of(sale)};
    if (!is_below("0", price.regular))
        price.regular.clear();
    if (price.regular.empty() || !is_below("0", price.sale) || !is_below(price.sale, price.regular))
        price.sale.clear();
    return price;
}

bool is_by_group(const CategoryPrices& prices) {
    return std::any_of(prices.begin(), prices.end(),
                       [](const Value& price) { return price.find("group_size") != nullptr; });
}

TripPrices prices_of_trip(const Item& trip, const Value& settings, LeftOut& left) {
    TripPrices prices;
    prices.whole = whole_price(trip, settings);
    prices.categories = prices_of_yatra(trip, prices.belong_to_trip);
    if (!first_meta(trip, {"yatra_tour_meta_pricing_description"}).empty())
        left.add("Trips with a description of the price");
    each_member(structure_of(trip, "wp_travel_pricing_options"), [&](const Value& one) {
        People people{.least = some_number(text_at(one, {"min_pax"})), .most = some_number(text_at(one, {"max_pax"}))};
        if (text_at(one, {"price_per"}) == "group") {
            people.group_size = people.most.empty() ? "0" : people.most;
            prices.belong_to_trip = true;
        }
        add_price(prices.categories, text_at(one, {"pricing_name", "type"}), price_with_switch(one), people);
    });
    // A single price is the price of the trip itself.
    if (settings["multiple_pricing"].size() > 1)
        each_member(settings["multiple_pricing"], [&](const Value& one) {
            add_price(prices.categories, text_at(one, {"label"}), price_with_switch(one));
        });
    if (prices.categories.empty() && !first_meta(trip, {"yatra_tour_meta_pricing_label"}).empty())
        left.add("Trips with a label of the price");
    if (prices.whole.regular.empty() && !prices.categories.empty())
        prices.whole.regular = prices.categories.front().text_or("regular_price");
    return prices;
}

std::string seats_of_trip(const Item& trip, const Value& settings) {
    std::string seats = some_number(first_meta(trip, {"yatra_tour_maximum_number_of_traveller"}));
    if (seats.empty() && trip.post_type != "tour")
        seats = some_number(first_meta(trip, {"wp_travel_group_size", "_s_max_pax"}));
    if (seats.empty())
        seats = some_number(text_at(settings, {"trip_maximum_pax"}));
    // No limit of a day, but one of a booking: a day has room for one such booking at least.
    if (seats.empty())
        if (const std::string most = some_number(first_meta(trip, {"yatra_tour_maximum_pax"}));
            most.size() > 2 || (most.size() == 2 && most > "20"))
            seats = most;
    return seats;
}

std::string least_travelers(const Item& trip, const Value& settings) {
    const std::string least = some_number(first_meta(trip, {"yatra_tour_minimum_pax"}));
    return least.empty() ? some_number(text_at(settings, {"trip_minimum_pax"})) : least;
}

// {c_ids, labels, prices, enabled_sale, sale_prices, pricing_types, min_paxes}, each by the category's number.
CategoryPrices category_prices_of_package(const Item& package) {
    CategoryPrices prices;
    const Value stored = structure_of(package, "package-categories");
    const auto of = [&](const char* member, const std::string& key, std::size_t index) {
        const Value& list = stored[member];
        if (list.is_array())
            return index < list.size() ? text_of(list[index]) : std::string();
        return text_at(list, {key});
    };
    const auto add = [&](const std::string& key, std::size_t index, const Value& label) {
        const std::string on_sale = of("enabled_sale", key, index);
        People people{.least = some_number(of("min_paxes", key, index))};
        if (of("pricing_types", key, index) == "per-group")
            people.group_size = "0";
        add_price(prices, text_of(label),
                  price_from(of("prices", key, index), is_off(on_sale) ? std::string() : of("sale_prices", key, index)),
                  people);
    };
    const Value& labels = stored["labels"];
    if (labels.is_array())
        for (std::size_t i = 0; i < labels.size(); ++i)
            add(std::to_string(i), i, labels[i]);
    else if (labels.is_object())
        for (const auto& [key, label] : labels.members())
            add(key, SIZE_MAX, label);
    return prices;
}

void add_days(std::vector<Value>& dates, const DepartureDays& found, const std::string& seats, LeftOut& left) {
    for (const Date day : found.days)
        add_date(dates, day.text(), {}, seats);
    if (found.is_cut_off)
        left.add("Recurring dates that are entered up to a year ahead, or 1100 days of them");
}

std::vector<DayRange> ranges_of_tour(const Item& tour) {
    std::vector<DayRange> ranges;
    if (!is_off(first_meta(tour, {"yatra_tour_meta_tour_fixed_departure"})))
        each_member(structure_of(tour, "yatra_tour_meta_availability_date_ranges"), [&](const Value& one) {
            const std::string first = old::date_of(text_at(one, {"start", "start_date"})),
                              last = old::date_of(text_at(one, {"end", "end_date"}));
            if (!first.empty())
                ranges.push_back({first, last < first ? first : last});
        });
    return ranges;
}

std::vector<Value> dates_of_trip(const Item& trip, Date today, LeftOut& left) {
    std::vector<Value> dates;
    // Each day of a range is one on which the tour may start.
    for (const DayRange& range : ranges_of_tour(trip))
        add_days(dates, days_of_range(*Date::parse(range.first), *Date::parse(range.last), today), {}, left);
    if (!is_off(first_meta(trip, {"wp_travel_fixed_departure"}))) {
        each_member(structure_of(trip, "wp_travel_multiple_trip_dates"), [&](const Value& one) {
            add_date(dates, text_at(one, {"start_date"}), text_at(one, {"end_date"}), {});
        });
        if (dates.empty())
            add_date(dates, first_meta(trip, {"wp_travel_start_date"}), first_meta(trip, {"wp_travel_end_date"}), {});
    }
    const Value of_engine = structure_of(trip, "WTE_Fixed_Starting_Dates_setting")["departure_dates"];
    const auto add = [&](const std::string& key, std::size_t index, const Value& start) {
        const auto of = [&](const char* member) {
            const Value& list = of_engine[member];
            if (list.is_array())
                return index < list.size() ? text_of(list[index]) : std::string();
            return text_at(list, {key});
        };
        add_date(dates, text_of(start), of("edate"), of("seats_available"));
    };
    const Value& starts = of_engine["sdate"];
    if (starts.is_array())
        for (std::size_t i = 0; i < starts.size(); ++i)
            add(std::to_string(i), i, starts[i]);
    else if (starts.is_object())
        for (const auto& [key, start] : starts.members())
            add(key, SIZE_MAX, start);
    return dates;
}

// A list, or by "20260501".
std::vector<Value> dates_of_package(const Item& package, Date today, LeftOut& left) {
    std::vector<Value> dates;
    each_member(structure_of(package, "package-dates"), [&](const Value& one) {
        const std::string start = text_at(one, {"dtstart", "start_date"}), seats = text_at(one, {"seats"});
        const auto first = Date::parse(old::date_of(start));
        const bool recurs = !is_off(text_at(one, {"is_recurring"})) || !is_off(text_at(one["rrule"], {"enable"}));
        if (first && recurs && one["rrule"].is_object())
            add_days(dates, days_of_rule(one["rrule"], *first, today), seats, left);
        else
            add_date(dates, start, {}, seats);
    });
    return dates;
}

}  // namespace svc::wordpress_import
