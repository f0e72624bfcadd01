// The work that bookings need by the clock.
#pragma once

#include "base/booking/record/service.hpp"
#include "base/platform/jobs/jobs.hpp"

namespace svc::booking {

inline void add_jobs(jobs::Jobs& jobs, Service& bookings) {
    jobs.add({.name = "booking_expiry",
              .says = "Expires pending bookings that were not paid in time, 200 per run, oldest first.",
              .every = std::chrono::hours(1),
              .run = [&bookings](Instant now) { return bookings.expire_unpaid(now); }});
    jobs.add({.name = "booking_reminder",
              .says = "Sends reminders for trips that begin in a few days.",
              .run = [&bookings](Instant now) { return bookings.remind(now); },
              .daily_at = ClockTime::from_minutes(8 * 60)});
    jobs.add({.name = "booking_completion",
              .says = "Completes confirmed bookings after their last day, 500 per run.",
              .run = [&bookings](Instant now) { return bookings.complete_ended(now); },
              .daily_at = ClockTime::from_minutes(20)});
    jobs.add({.name = "waitlist_offers",
              .says = "Assigns free seats to the waitlist, including offered seats that were not taken in time.",
              .every = std::chrono::minutes(10),
              .run = [&bookings](Instant now) { return bookings.end_offers(now); }});
    jobs.add({.name = "payment_deadlines",
              .says = "Reminds customers who pay later of the deadline; cancels overdue bookings where expiry is off.",
              .run = [&bookings](Instant now) { return bookings.watch_deadlines(now); },
              .daily_at = ClockTime::from_minutes(9 * 60)});
    jobs.add({.name = "booking_counts",
              .says = "Aggregates booking counts by status, trip and day, so that lists count few rows.",
              .every = std::chrono::minutes(1),
              .run = [&bookings](Instant) { return bookings.add_up_counts(); }});
    jobs.add({.name = "booking_search",
              .says = "Adds new bookings to the search index.",
              .every = std::chrono::minutes(1),
              .run = [&bookings](Instant now) { return bookings.index_search(now); }});
    jobs.add({.name = "booking_answers",
              .says = "Encrypts travelers' answers about health and travel documents that earlier versions stored in "
                      "plain text.",
              .every = std::chrono::hours(1),
              .run = [&bookings](Instant) { return bookings.seal_answers(); }});
}

}  // namespace svc::booking
