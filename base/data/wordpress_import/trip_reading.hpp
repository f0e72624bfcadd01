// What is gathered while a trip is read; for the sources of trips in this folder alone.
#pragma once

#include <algorithm>

#include "base/data/wordpress_import/old_values.hpp"
#include "base/data/wordpress_import/php_values.hpp"
#include "base/data/wordpress_import/shown_text.hpp"
#include "base/data/wordpress_import/trip_fields.hpp"

namespace svc::wordpress_import {

struct Reading {
    const Item& item;
    const References& references;
    LeftOut& left;
    json::Value settings = engine_settings(item);
    TextRemains remains = {};
    json::Value fields = json::Value::object();

    std::string shown(const std::string& text) { return shown_text(text, remains); }
    [[nodiscard]] json::Value meta(std::string_view key) const { return meta_value(item.meta_of(key)); }
};

// Members of `names` with the values of `values` under the same key.
template <class Take>
void each_pair(const json::Value& names, const json::Value& values, const Take& take) {
    const auto value_of = [&](const std::string& key, std::size_t index) {
        if (values.is_array())
            return index < values.size() ? old::whole_text(values[index]) : std::string();
        return old::whole_text(values[key]);
    };
    std::size_t index = 0;
    if (names.is_array())
        for (const json::Value& name : names.items()) {
            take(old::text_of(name), value_of(std::to_string(index), index));
            ++index;
        }
    else if (names.is_object())
        for (const auto& [key, name] : names.members())
            take(old::text_of(name), value_of(key, index++));
}

// Leaves out the members that do not fit, and counts them.
inline void shorten(json::Value& list, std::size_t most, const char* what, LeftOut& left) {
    left.add_surplus(what, list.size(), most);
    auto& items = list.items();
    items.resize(std::min(items.size(), most));
}

// "{index}" stands for the number of a question or day.
inline std::string numbered(std::string text, std::size_t number) {
    for (auto at = text.find("{index}"); at != std::string::npos; at = text.find("{index}", at))
        text.replace(at, 7, std::to_string(number));
    return text;
}

// The days of the itinerary, and a sentence in `record` where there are more than the trip lasts (0: not known).
json::Value days_of(Reading& reading, std::size_t duration, json::Value& record);
// Addresses.
json::Value pictures_of(Reading& reading);

}  // namespace svc::wordpress_import
