// The work that bookings need by the clock.
#pragma once

#include "base/platform/jobs/jobs.hpp"
#include "base/sales/booking/upkeep/upkeep.hpp"

namespace svc::booking {

inline void add_jobs(jobs::Jobs& jobs, Upkeep& upkeep) {
    jobs.add({.name = "booking_expiry",
              .help = "Expires pending bookings that were not paid in time, 200 at a turn, the oldest first.",
              .every = std::chrono::hours(1),
              .run = [&upkeep](Instant now) { return upkeep.expire_unpaid(now); }});
    jobs.add({.name = "booking_reminder",
              .help = "Reminds those whose trip begins in a few days.",
              .run = [&upkeep](Instant now) { return upkeep.remind(now); },
              .daily_at = ClockTime::from_minutes(8 * 60)});
    jobs.add({.name = "booking_completion",
              .help = "Completes confirmed bookings whose last day is over, 500 at a turn.",
              .run = [&upkeep](Instant now) { return upkeep.complete_ended(now); },
              .daily_at = ClockTime::from_minutes(20)});
    jobs.add({.name = "waitlist_offers",
              .help = "Assigns free seats to the waitlist, including offered seats that were not taken in time.",
              .every = std::chrono::minutes(10),
              .run = [&upkeep](Instant now) { return upkeep.end_offers(now); }});
    jobs.add({.name = "payment_deadlines",
              .help = "Reminds those who pay later of their deadline.",
              .run = [&upkeep](Instant now) { return upkeep.watch_deadlines(now); },
              .daily_at = ClockTime::from_minutes(9 * 60)});
    jobs.add({.name = "booking_counts",
              .help = "Counts bookings by status, trip and day, so that lists count few rows.",
              .every = std::chrono::minutes(1),
              .run = [&upkeep](Instant) { return upkeep.add_up_counts(); }});
    jobs.add({.name = "booking_search",
              .help = "Adds new bookings to the search index.",
              .every = std::chrono::minutes(1),
              .run = [&upkeep](Instant now) { return upkeep.index_search(now); }});
    jobs.add({.name = "booking_answers",
              .help = "Encrypts travelers' answers about health and travel documents that earlier versions stored in "
                      "plain text.",
              .every = std::chrono::hours(1),
              .run = [&upkeep](Instant) { return upkeep.seal_answers(); }});
}

}  // namespace svc::booking
