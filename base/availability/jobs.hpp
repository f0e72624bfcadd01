// The work that departures need by the clock.
#pragma once

#include "base/availability/service.hpp"
#include "base/platform/jobs/jobs.hpp"

namespace svc::availability {

inline void add_jobs(jobs::Jobs& jobs, Service& service) {
    jobs.add({.name = "departure_status",
              .says = "Ends the departures whose last day is over and compares every seat count with its ledger.",
              .run = [&service](Instant now) { return service.refresh_statuses(now); },
              .daily_at = ClockTime::from_minutes(1)});
}

}  // namespace svc::availability
