// Which days a rule means, and which rules make sense.
#include "base/sales/availability/record/rule.hpp"

#include <algorithm>
#include <array>

namespace svc::availability {
namespace {

constexpr std::array<std::string_view, 3> names_of_rule_types{"weekly", "monthly", "interval"};
constexpr std::array<std::string_view, 3> names_of_rule_statuses{"active", "inactive", "paused"};

template <class Enum, std::size_t size>
std::optional<Enum> found(const std::array<std::string_view, size>& names, std::string_view name) {
    const auto* at = std::find(names.begin(), names.end(), name);
    if (at == names.end())
        return std::nullopt;
    return static_cast<Enum>(at - names.begin());
}

unsigned length_of_month(int year, unsigned month) {
    static constexpr std::array<unsigned, 12> lengths{31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    const bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    return month == 2 && leap ? 29 : lengths.at(month - 1);
}

bool in_month(const Rule& rule, const Day& day) {
    if (rule.day_of_month)
        return day.day == static_cast<unsigned>(*rule.day_of_month);
    if (!rule.week_of_month || !rule.day_of_week || day.weekday != static_cast<unsigned>(*rule.day_of_week))
        return false;
    if (*rule.week_of_month == Rule::last_week)
        return day.day + 7 > day.month_length;
    return (day.day - 1) / 7 + 1 == static_cast<unsigned>(*rule.week_of_month);
}

bool in_interval(const Rule& rule, const Day& day) {
    const auto first = rule.interval_start ? rule.interval_start : rule.start_date;
    if (!rule.interval_days || !first || day.date < *first)
        return false;
    return (day.date.days() - first->days()) % *rule.interval_days == 0;
}

void check_price(Error& error, const Money& regular, const std::optional<Money>& lowered, const std::string& field) {
    if (lowered && *lowered >= regular)
        error.at(field, "The sale price must be below the list price."_sentence);
}

void check_price(Error& error, const std::optional<PricePair>& price, const std::string& field) {
    if (price)
        check_price(error, price->regular, price->lowered, field);
}

void check_categories(Error& error, const CategoryPrices& prices, const std::string& field) {
    for (std::size_t i = 0; i < prices.size(); ++i) {
        const std::string at = field + "." + std::to_string(i + 1);
        check_price(error, prices[i].regular, prices[i].lowered, at + ".sale_price");
        if (i > 0 && prices[i].category_id == prices[i - 1].category_id)
            error.at(at + ".category_id", "This category is listed twice."_sentence);
    }
}

void check_recurrence(Error& error, const Rule& rule) {
    switch (rule.type) {
        case RuleType::weekly:
            if (rule.weekdays.empty())
                error.at("days_of_week", "Choose at least one weekday for a weekly rule."_sentence);
            break;
        case RuleType::monthly:
            if (rule.day_of_month && (rule.week_of_month || rule.day_of_week))
                error.at("day_of_month", "Enter either day_of_month, or week_of_month and day_of_week."_sentence);
            else if (!rule.day_of_month && !rule.week_of_month)
                error.at("week_of_month", "Enter week_of_month and day_of_week, or day_of_month."_sentence);
            else if (!rule.day_of_month && !rule.day_of_week)
                error.at("day_of_week", "This field is required with week_of_month."_sentence);
            break;
        case RuleType::interval:
            if (!rule.interval_days)
                error.at("interval_days", "Enter the number of days of the interval."_sentence);
            else if (!rule.interval_start && !rule.start_date)
                error.at("interval_start_date", "Enter the day from which the interval is counted."_sentence);
            break;
    }
}

void check_slots(Error& error, const Rule& rule) {
    for (std::size_t i = 0; i < rule.slots.size(); ++i) {
        const std::string at = "time_slots." + std::to_string(i + 1);
        check_price(error, rule.slots[i].price, at + ".sale_price");
        check_categories(error, rule.slots[i].by_category, at + ".traveler_pricing");
        if (i > 0 && rule.slots[i].departure_time == rule.slots[i - 1].departure_time)
            error.at(at + ".departure_time", "This time is listed twice."_sentence);
    }
}

}  // namespace

std::span<const std::string_view> rule_type_names() { return names_of_rule_types; }
std::span<const std::string_view> rule_status_names() { return names_of_rule_statuses; }
std::string_view name_of(RuleType type) { return names_of_rule_types.at(static_cast<std::size_t>(type)); }
std::string_view name_of(RuleStatus status) { return names_of_rule_statuses.at(static_cast<std::size_t>(status)); }
std::optional<RuleType> rule_type_of(std::string_view name) { return found<RuleType>(names_of_rule_types, name); }
std::optional<RuleStatus> rule_status_of(std::string_view name) {
    return found<RuleStatus>(names_of_rule_statuses, name);
}

Day Day::of(Date date) {
    Day day;
    day.date = date;
    day.year_ = date.year();
    day.month = date.month();
    day.day = date.day();
    day.weekday = date.weekday();
    day.month_length = length_of_month(day.year_, day.month);
    return day;
}

void Day::next() {
    date = Date::from_days(date.days() + 1);
    weekday = weekday == 6 ? 0 : weekday + 1;
    if (++day <= month_length)
        return;
    day = 1;
    if (++month > 12) {
        month = 1;
        ++year_;
    }
    month_length = length_of_month(year_, month);
}

bool Rule::means(const Day& day, Date today) const {
    if ((start_date && day.date < *start_date) || (end_date && day.date > *end_date))
        return false;
    if (day.date.days() - today.days() < advance_days)
        return false;
    if (!months.empty() && !months.has(day.month - 1))
        return false;
    return type == RuleType::weekly    ? weekdays.has(day.weekday)
           : type == RuleType::monthly ? in_month(*this, day)
                                       : in_interval(*this, day);
}

bool Rule::excludes(Date date) const { return std::binary_search(excluded.begin(), excluded.end(), date); }

const RuleWeekday* Rule::override_on(unsigned weekday) const {
    for (const RuleWeekday& each : overrides)
        if (each.weekday == weekday)
            return &each;
    return nullptr;
}

const RuleSlot* Rule::slot_at(const std::optional<ClockTime>& time) const {
    for (const RuleSlot& each : slots)
        if (each.departure_time == time)
            return &each;
    return nullptr;
}

Result<void> consistent(const Rule& rule) {
    Error error{errc::validation_error};
    check_recurrence(error, rule);
    if (rule.start_date && (rule.start_date->year() < earliest_year || rule.start_date->year() > latest_year))
        error.at("start_date", "This year is out of range."_sentence);
    if (rule.start_date && rule.end_date) {
        if (*rule.end_date < *rule.start_date)
            error.at("end_date", "This must not be before start_date."_sentence);
        else if (rule.end_date->days() - rule.start_date->days() > longest_rule)
            error.at("end_date",
                     "A rule is at most {most} days long; leave out the end date for an open-ended rule."_sentence.with(
                         "most", longest_rule));
    }
    check_price(error, rule.price, "sale_price");
    check_categories(error, rule.by_category, "traveler_pricing");
    check_slots(error, rule);
    for (const RuleWeekday& each : rule.overrides)
        check_price(error, each.price, "day_overrides." + std::to_string(each.weekday) + ".sale_price");
    if (error.fields().empty())
        return {};
    Error renamed{errc::validation_error, error.fields().front().sentence};
    for (const FieldError& each : error.fields())
        renamed.at(each.field, each.sentence);
    return renamed;
}

void sort_by_precedence(std::vector<Rule>& rules) {
    std::sort(rules.begin(), rules.end(), [](const Rule& a, const Rule& b) {
        return std::pair(-a.priority, -a.id) < std::pair(-b.priority, -b.id);
    });
}

}  // namespace svc::availability
