// The arithmetic of turns.
#include "base/platform/jobs/turns.hpp"

namespace svc::jobs {

Turn turn_at(const Job& job, const Zone& zone, Instant now) {
    if (!job.daily_at)
        return {std::nullopt, now.plus(job.every)};
    Date day = zone.date_at(now);
    if (zone.instant_of(day, *job.daily_at) > now)
        day = day.plus_days(-1);
    return {day, zone.instant_of(day.plus_days(1), *job.daily_at)};
}

}  // namespace svc::jobs
