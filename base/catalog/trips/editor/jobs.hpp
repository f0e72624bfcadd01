// The work that trips need by the clock.
#pragma once

#include "base/catalog/trips/editor/service.hpp"
#include "base/catalog/trips/record/texts.hpp"
#include "base/platform/jobs/jobs.hpp"

namespace svc::catalog::trips {

inline void add_jobs(jobs::Jobs& jobs, Service& trips, store::Store& store) {
    jobs.add({.name = "trip_schedule",
              .help = "Publishes and archives scheduled trips, at most 500 of each per run.",
              .every = std::chrono::minutes(1),
              .run = [&trips](Instant now) { return trips.lifecycle().run_schedule(now); }});
    jobs.add({.name = "trip_season",
              .help = "Publishes and archives, on the very day, the trips whose season begins or ends.",
              .run = [&trips](Instant now) { return trips.lifecycle().run_season(now); },
              .daily_at = ClockTime::from_minutes(2)});
    jobs.add({.name = "trip_texts",
              .help = "Derives data from trip texts that earlier versions stored.",
              .every = std::chrono::minutes(1),
              .run = [&store](Instant) { return run_texts(store); }});
}

}  // namespace svc::catalog::trips
