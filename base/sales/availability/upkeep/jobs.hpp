// The work that departures need by the clock.
#pragma once

#include "base/platform/jobs/jobs.hpp"
#include "base/sales/availability/upkeep/service.hpp"

namespace svc::availability {

inline void add_jobs(jobs::Jobs& jobs, Upkeep& upkeep) {
    jobs.add({.name = "departure_status",
              .help = "Marks past and full departures.",
              .run = [&upkeep](Instant now) { return upkeep.refresh_statuses(now); },
              .daily_at = ClockTime::from_minutes(10)});
    jobs.add({.name = "seat_audit",
              .help = "Compares each seat count with its ledger; logs, counts and corrects differences.",
              .run = [&upkeep](Instant now) { return upkeep.audit_seats(now); },
              .daily_at = ClockTime::from_minutes(3 * 60 + 40)});
    jobs.add({.name = "soft_hold_release",
              .help = "Releases seats of guests who did not confirm their e-mail address in time.",
              .every = std::chrono::minutes(10),
              .run = [&upkeep](Instant now) { return upkeep.release_lapsed(now); }});
}

}  // namespace svc::availability
