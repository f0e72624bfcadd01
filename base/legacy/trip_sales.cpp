// Reads the metas by their published names: Yatra 1 and 2, WP Travel before and since 4, WP Travel Engine before and
// since 5.
#include "base/legacy/trip_sales.hpp"

#include <algorithm>
#include <functional>

#include "base/legacy/old_values.hpp"
#include "base/legacy/php_values.hpp"

namespace svc::legacy {
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

OldPrice price_from(const std::string& regular, const std::string& sale) {
    OldPrice price{old::decimal_of(regular), old::decimal_of(sale)};
    if (!is_below("0", price.regular))
        price.regular.clear();
    if (price.regular.empty() || !is_below("0", price.sale) || !is_below(price.sale, price.regular))
        price.sale.clear();
    return price;
}

void add_price(std::vector<Value>& prices, const std::string& name, const OldPrice& price) {
    if (name.empty() || price.regular.empty())
        return;
    auto fields = Value::object({{"name", name}, {"regular_price", price.regular}});
    set_if(fields, "sale_price", price.sale);
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

}  // namespace

OldPrice price_of_trip(const Item& trip, const Value& settings) {
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

std::vector<Value> category_prices_of_trip(const Item& trip, const Value& settings) {
    std::vector<Value> prices;
    each_member(structure_of(trip, "yatra_multiple_pricing"), [&](const Value& one) {
        add_price(prices, text_at(one, {"pricing_label", "title"}),
                  price_from(text_at(one, {"regular_price"}), text_at(one, {"sales_price", "sale_price"})));
    });
    each_member(structure_of(trip, "wp_travel_pricing_options"), [&](const Value& one) {
        add_price(prices, text_at(one, {"pricing_name", "type"}), price_with_switch(one));
    });
    // A single price is the price of the trip itself.
    if (settings["multiple_pricing"].size() > 1)
        each_member(settings["multiple_pricing"],
                    [&](const Value& one) { add_price(prices, text_at(one, {"label"}), price_with_switch(one)); });
    return prices;
}

// {c_ids, labels, prices, enabled_sale, sale_prices}, each by the category's number.
std::vector<Value> category_prices_of_package(const Item& package) {
    std::vector<Value> prices;
    const Value stored = structure_of(package, "package-categories");
    const auto of = [&](const char* member, const std::string& key, std::size_t index) {
        const Value& list = stored[member];
        if (list.is_array())
            return index < list.size() ? text_of(list[index]) : std::string();
        return text_at(list, {key});
    };
    const auto add = [&](const std::string& key, std::size_t index, const Value& label) {
        const std::string on_sale = of("enabled_sale", key, index);
        add_price(
            prices, text_of(label),
            price_from(of("prices", key, index), is_off(on_sale) ? std::string() : of("sale_prices", key, index)));
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

std::vector<Value> dates_of_trip(const Item& trip) {
    std::vector<Value> dates;
    if (!is_off(first_meta(trip, {"yatra_tour_meta_tour_fixed_departure"})))
        each_member(structure_of(trip, "yatra_tour_meta_availability_date_ranges"), [&](const Value& one) {
            add_date(dates, text_at(one, {"start", "start_date"}), text_at(one, {"end", "end_date"}), {});
        });
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
std::vector<Value> dates_of_package(const Item& package) {
    std::vector<Value> dates;
    each_member(structure_of(package, "package-dates"), [&](const Value& one) {
        add_date(dates, text_at(one, {"dtstart", "start_date"}), {}, text_at(one, {"seats"}));
    });
    return dates;
}

}  // namespace svc::legacy
