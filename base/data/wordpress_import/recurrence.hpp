// Days of ranges and of recurring departures. Pure functions, any thread.
#pragma once

#include <string>
#include <vector>

#include "shared/core/date.hpp"
#include "shared/json/value.hpp"

namespace svc::wordpress_import {

// Of one range or rule: further days are left out.
inline constexpr std::size_t most_range_days = 1'100;
// How far a rule without an end is followed.
inline constexpr int endless_rule_days = 366;

struct DepartureDays {
    std::vector<Date> days = {};  // not before `today`, but the last one where all are
    bool is_cut_off = false;      // there are more
};

// Every day from the first to the last one.
DepartureDays days_of_range(Date first, Date last, Date today);

// Of WP Travel Engine: {r_frequency, r_weekdays: ["MO"], r_months: ["1"], r_until, r_count}.
DepartureDays days_of_rule(const json::Value& rule, Date start, Date today);

// A recurring row of WP Travel's table of dates: lists of years, months, weekdays and days of the month, separated by
// commas; one that is empty or says "every" leaves all.
DepartureDays days_of_row(const json::Value& row, Date start, const std::string& end, Date today);

}  // namespace svc::wordpress_import
