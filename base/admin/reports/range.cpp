// Cuts spans into stretches and parts.
#include "base/admin/reports/range.hpp"

#include <algorithm>

namespace svc::reports {
namespace {

constexpr std::int64_t micros_of_day = 86'400'000'000;

std::int64_t offset_at(Date day, const Zone& zone) {
    return day.days() * micros_of_day - zone.instant_of(day, {}).micros();
}

}  // namespace

Date Stretch::day_of(std::int64_t number) const {
    return Date::from_days(
        static_cast<std::int32_t>(std::clamp<std::int64_t>(number, days.from.days(), days.to.days())));
}

std::vector<Stretch> stretches_of(Span span, const Zone& zone) {
    std::vector<Stretch> all;
    bool joins = false;  // whether the last stretch may go on
    for (Date day = span.from; day <= span.to; day = day.plus_days(1)) {
        const Instant from = zone.instant_of(day, {}), until = zone.instant_of(day.plus_days(1), {});
        const std::int64_t offset = offset_at(day, zone);
        const bool whole = until.micros() - from.micros() == micros_of_day;
        if (joins && whole && all.back().offset == offset) {
            all.back().days.to = day;
            all.back().until = until;
        } else {
            all.push_back({{day, day}, from, until, offset});
        }
        joins = whole;
    }
    return all;
}

Span compared(Span span, Compare with) {
    if (with == Compare::year)
        return {span.from.plus_months(-12), span.to.plus_months(-12)};
    return {span.from.plus_days(-span.days()), span.from.plus_days(-1)};
}

Date part_of(Date day, GroupBy by) {
    if (by == GroupBy::week)
        return day.plus_days(-static_cast<int>((day.weekday() + 6) % 7));
    return by == GroupBy::month ? Date::from(day.year(), day.month(), 1) : day;
}

std::vector<Date> parts_of(Span span, GroupBy by) {
    std::vector<Date> all;
    for (Date day = part_of(span.from, by); day <= span.to;
         day = by == GroupBy::month ? day.plus_months(1) : day.plus_days(by == GroupBy::week ? 7 : 1))
        all.push_back(day);
    return all;
}

}  // namespace svc::reports
