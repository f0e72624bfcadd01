// Walks the days one by one: no rule is longer than some years.
#include "base/data/wordpress_import/recurrence.hpp"

#include <algorithm>
#include <functional>
#include <set>

#include "base/data/wordpress_import/old_values.hpp"

namespace svc::wordpress_import {
namespace {

using json::Value;
using old::text_at, old::text_of;

constexpr const char* weekday_names[] = {"SU", "MO", "TU", "WE", "TH", "FR", "SA"};

struct Walk {
    Date first, last, today;
    std::size_t count = SIZE_MAX;  // of days that fit, those before today included
    bool has_end = true;
};

DepartureDays walked(const Walk& walk, const std::function<bool(Date)>& fits) {
    DepartureDays found;
    std::size_t count = 0;
    std::optional<Date> past;
    for (Date day = walk.first; day <= walk.last; day = day.plus_days(1)) {
        if (!fits(day))
            continue;
        if (++count > walk.count)
            return found;
        if (day < walk.today) {
            past = day;
        } else if (found.days.size() == most_range_days) {
            found.is_cut_off = true;
            return found;
        } else {
            found.days.push_back(day);
        }
    }
    found.is_cut_off = !walk.has_end;
    if (found.days.empty() && past)
        found.days.push_back(*past);
    return found;
}

// Each word of a list, in a text or in an array; in capitals.
std::set<std::string> words_of(const Value& given) {
    std::set<std::string> words;
    const auto add = [&](const std::string& text) {
        std::string one;
        for (const char c : text + ",") {
            if (c != ',' && c != ' ') {
                one += static_cast<char>(c >= 'a' && c <= 'z' ? c - 32 : c);
                continue;
            }
            if (!one.empty())
                words.insert(one);
            one.clear();
        }
    };
    if (given.is_array())
        for (const Value& each : given.items())
            add(text_of(each));
    else if (given.is_object())
        for (const auto& [key, each] : given.members())
            add(text_of(each));
    else
        add(text_of(given));
    return words;
}

bool has_any(const std::set<std::string>& words) {
    return words.empty() ||
           std::any_of(words.begin(), words.end(), [](const std::string& word) { return word.starts_with("EVERY"); });
}

bool has_number(const std::set<std::string>& words, unsigned number) {
    return words.contains(std::to_string(number)) || (number < 10 && words.contains("0" + std::to_string(number)));
}

}  // namespace

DepartureDays days_of_range(Date first, Date last, Date today) {
    // A long past is skipped, not walked.
    const Date from = std::max(first, std::min(last, today.plus_days(-1)));
    return walked({.first = from, .last = last, .today = today}, [](Date) { return true; });
}

DepartureDays days_of_rule(const Value& rule, Date start, Date today) {
    const std::string frequency = text_at(rule, {"r_frequency"});
    const auto until = Date::parse(old::date_of(text_at(rule, {"r_until"})));
    const std::string count = old::whole_of(text_at(rule, {"r_count"}));
    const bool is_counted = !count.empty() && count.size() < 6 && count != "0";
    const Date farthest = std::max(start, today).plus_days(endless_rule_days);
    Walk walk{.first = start,
              .last = until ? std::min(*until, today.plus_days(4 * endless_rule_days)) : farthest,
              .today = today,
              .has_end = until || is_counted};
    if (is_counted)
        walk.count = std::stoul(count);
    if (is_counted && !until)
        walk.last = start.plus_days(4 * endless_rule_days);
    std::set<std::string> weekdays = words_of(rule["r_weekdays"]);
    if (weekdays.empty())
        weekdays.insert(weekday_names[start.weekday()]);
    const std::set<std::string> months = words_of(rule["r_months"]);
    return walked(walk, [&](Date day) {
        if (frequency == "WEEKLY")
            return weekdays.contains(weekday_names[day.weekday()]);
        if (frequency == "MONTHLY")
            return day.day() == start.day() && (months.empty() || has_number(months, day.month()));
        if (frequency == "YEARLY")
            return day.day() == start.day() &&
                   (months.empty() ? day.month() == start.month() : has_number(months, day.month()));
        return true;
    });
}

DepartureDays days_of_row(const Value& row, Date start, const std::string& end, Date today) {
    const auto last = Date::parse(end);
    const std::set<std::string> years = words_of(row["years"]), months = words_of(row["months"]),
                                weekdays = words_of(row["days"]), days = words_of(row["date_days"]);
    const Date farthest = std::max(start, today).plus_days(endless_rule_days);
    return walked({.first = std::max(start, std::min(last.value_or(farthest), today.plus_days(-endless_rule_days))),
                   .last = last.value_or(farthest),
                   .today = today,
                   .has_end = last.has_value()},
                  [&](Date day) {
                      return (has_any(years) || has_number(years, static_cast<unsigned>(day.year()))) &&
                             (has_any(months) || has_number(months, day.month())) &&
                             (has_any(weekdays) || weekdays.contains(weekday_names[day.weekday()])) &&
                             (has_any(days) || has_number(days, day.day()));
                  });
}

}  // namespace svc::wordpress_import
