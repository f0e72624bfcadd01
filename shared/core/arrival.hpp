// The day on which a trip arrives, from its days and clock times. Pure functions, any thread.
#pragma once

#include <optional>

#include "shared/core/date.hpp"

namespace svc {

// An arrival that is earlier on the clock than its start is on the next day (docs/rules.md, Time).
inline bool arrives_next_day(const std::optional<ClockTime>& start, const std::optional<ClockTime>& arrival) {
    return start && arrival && *arrival < *start;
}

// `last` is the last day that was planned: only a trip that starts and ends on one day arrives after it.
inline Date arrival_day(Date first, Date last, const std::optional<ClockTime>& start,
                        const std::optional<ClockTime>& arrival) {
    return first == last && arrives_next_day(start, arrival) ? Date::from_days(last.days() + 1) : last;
}

}  // namespace svc
