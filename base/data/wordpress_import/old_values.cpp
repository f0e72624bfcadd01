// Reads amounts, dates and texts in the notations of people and plugins.
#include "base/data/wordpress_import/old_values.hpp"

#include <algorithm>

#include "base/data/wordpress_import/php_values.hpp"
#include "base/platform/csv/cells.hpp"
#include "base/platform/html/html.hpp"
#include "shared/core/date.hpp"
#include "shared/core/text.hpp"

namespace svc::wordpress_import::old {

using json::Value;

std::string decimal_of(std::string_view text) {
    std::string amount;  // without a currency's sign and blanks
    for (const char c : text)
        if ((c >= '0' && c <= '9') || c == '.' || c == ',')
            amount += c;
    std::string digits = csv::amount(amount, {});
    digits.erase(std::remove(digits.begin(), digits.end(), ','), digits.end());  // separates thousands
    const bool plain = !digits.empty() && digits.size() <= 18 && std::count(digits.begin(), digits.end(), '.') <= 1 &&
                       digits.front() != '.' && digits.back() != '.';
    return plain ? digits : std::string();
}

std::string whole_of(std::string_view text) {
    const auto end = std::find_if(text.begin(), text.end(), [](char c) { return c < '0' || c > '9'; });
    return {text.begin(), end};
}

std::string date_of(std::string_view text) {
    if (text.find('.') != std::string_view::npos)
        if (std::string day = csv::day(std::string(text), csv::DayForm::any); Date::parse(day))
            return day;
    if (text.size() == 8 && text.find_first_not_of("0123456789") == std::string_view::npos) {
        const std::string dashed =
            std::string(text.substr(0, 4)) + "-" + std::string(text.substr(4, 2)) + "-" + std::string(text.substr(6));
        return Date::parse(dashed) ? dashed : std::string();
    }
    const auto day = text.substr(0, 10);
    return Date::parse(day) ? std::string(day) : std::string();
}

std::string time_of(std::string_view text) {
    if (date_of(text).empty() || text.size() < 16)
        return {};
    const auto time = text.substr(11, 5);
    return ClockTime::parse(time) && time != "00:00" ? std::string(time) : std::string();
}

std::string text_of(const Value& value) {
    if (value.is_string())
        return text::clean(value.text());
    if (value.is_number())
        return value.number_text();
    if (value.is_boolean())
        return value.boolean() ? "1" : "";
    if (value.is_array())
        for (const Value& item : value.items())
            if (std::string found = text_of(item); !found.empty())
                return found;
    if (value.is_object())
        for (const auto& [name, member] : value.members())
            if (std::string found = text_of(member); !found.empty())
                return found;
    return {};
}

std::string whole_text(const Value& value) {
    return value.is_string() ? text::clean_lines(value.text()) : text_of(value);
}

std::string text_at(const Value& object, std::initializer_list<std::string_view> names) {
    for (const std::string_view name : names)
        if (const Value* member = object.find(name))
            if (std::string found = text_of(*member); !found.empty())
                return found;
    return {};
}

std::int64_t sum_of(const Value& value) {
    if (value.is_array() || value.is_object()) {
        std::int64_t sum = 0;
        if (value.is_array())
            for (const Value& item : value.items())
                sum += sum_of(item);
        else
            for (const auto& [name, member] : value.members())
                sum += sum_of(member);
        return sum;
    }
    const std::string digits = whole_of(text_of(value));
    return digits.empty() || digits.size() > 6 ? 0 : std::stoll(digits);
}

std::vector<std::string> lines_of(std::string_view given, std::size_t most) {
    // Where a reader sees a new line begin.
    const auto ends_at = [&](std::size_t at) {
        if (given[at] == '\n')
            return true;
        const std::string tag = text::folded(std::string(given.substr(at, 4)));
        return tag.starts_with("<li") || tag.starts_with("<br") || tag.starts_with("<p>") || tag.starts_with("<p ") ||
               tag.starts_with("<div") || tag.starts_with("<tr");
    };
    std::vector<std::string> lines;
    std::size_t from = 0;
    for (std::size_t at = 0; at <= given.size() && lines.size() < most; ++at) {
        if (at < given.size() && ((given[at] != '\n' && given[at] != '<') || !ends_at(at)))
            continue;
        if (std::string line = text::clean(html::text_of_html(given.substr(from, at - from))); !line.empty())
            lines.push_back(std::move(line));
        from = at;
    }
    return lines;
}

std::string first_meta(const Item& item, std::initializer_list<std::string_view> keys) {
    std::string first;
    for (const std::string_view key : keys)  // asks for all of them: those behind are another plugin's names of it
        if (std::string value = text_of(meta_value(item.meta_of(key))); first.empty())
            first = std::move(value);
    return first;
}

std::string whole_meta(const Item& item, std::initializer_list<std::string_view> keys) {
    std::string first;
    for (const std::string_view key : keys)
        if (std::string value = whole_text(meta_value(item.meta_of(key))); first.empty())
            first = std::move(value);
    return first;
}

void set_if(Value& fields, const char* name, std::string text) {
    if (!text.empty())
        fields.set(name, std::move(text));
}

void set_names(Value& fields, const std::string& whole) {
    const auto blank = whole.rfind(' ');
    set_if(fields, "first_name", whole.substr(0, blank));
    set_if(fields, "last_name", blank == std::string::npos ? std::string() : whole.substr(blank + 1));
}

}  // namespace svc::wordpress_import::old
