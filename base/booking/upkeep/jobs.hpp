// The work that bookings need by the clock.
#pragma once

#include "base/booking/record/service.hpp"
#include "base/platform/jobs/jobs.hpp"

namespace svc::booking {

inline void add_jobs(jobs::Jobs& jobs, Service& bookings) {
    jobs.add({.name = "booking_expiry",
              .says = "Ends pending bookings that nothing was paid of in time, 200 at a turn, the oldest first.",
              .every = std::chrono::hours(1),
              .run = [&bookings](Instant now) { return bookings.expire_unpaid(now); }});
    jobs.add({.name = "booking_reminder",
              .says = "Reminds those whose trip begins in a few days.",
              .run = [&bookings](Instant now) { return bookings.remind(now); },
              .daily_at = ClockTime::from_minutes(8 * 60)});
    jobs.add({.name = "booking_completion",
              .says = "Completes confirmed bookings whose last day is over, 500 at a turn.",
              .run = [&bookings](Instant now) { return bookings.complete_ended(now); },
              .daily_at = ClockTime::from_minutes(20)});
    jobs.add({.name = "waitlist_offers",
              .says = "Gives free seats, those that were offered and not taken in time too, to who waits next.",
              .every = std::chrono::minutes(10),
              .run = [&bookings](Instant now) { return bookings.end_offers(now); }});
    jobs.add({.name = "payment_deadlines",
              .says = "Reminds those who pay later of their deadline; ends what is past it where the expiry is off.",
              .run = [&bookings](Instant now) { return bookings.watch_deadlines(now); },
              .daily_at = ClockTime::from_minutes(9 * 60)});
    jobs.add({.name = "booking_counts",
              .says = "Adds up how many bookings there are by status, trip and day, so that lists count few rows.",
              .every = std::chrono::minutes(1),
              .run = [&bookings](Instant) { return bookings.add_up_counts(); }});
    jobs.add({.name = "booking_search",
              .says = "Puts new bookings into the index that searches of bookings go by.",
              .every = std::chrono::minutes(1),
              .run = [&bookings](Instant now) { return bookings.index_search(now); }});
    jobs.add({.name = "booking_answers",
              .says = "Seals what travelers told of health and papers before releases that seal it.",
              .every = std::chrono::hours(1),
              .run = [&bookings](Instant) { return bookings.seal_answers(); }});
}

}  // namespace svc::booking
