// The work that bookings need by the clock.
#pragma once

#include "base/booking/service.hpp"
#include "base/platform/jobs/jobs.hpp"

namespace svc::booking {

inline void add_jobs(jobs::Jobs& jobs, Service& bookings) {
    jobs.add({.name = "waitlist_offers",
              .says = "Gives seats from the waitlist that were not taken in time to the next who waits.",
              .every = std::chrono::minutes(10),
              .run = [&bookings](Instant now) { return bookings.end_offers(now); }});
}

}  // namespace svc::booking
