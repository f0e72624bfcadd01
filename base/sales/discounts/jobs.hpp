// The work that discounts need by the clock.
#pragma once

#include "base/platform/jobs/jobs.hpp"
#include "base/sales/discounts/service.hpp"

namespace svc::discounts {

inline void add_jobs(jobs::Jobs& jobs, Service& service) {
    jobs.add({.name = "discount_expiry",
              .help = "Marks expired discounts.",
              .run = [&service](Instant now) { return service.expire(now); },
              .daily_at = ClockTime::from_minutes(5)});
}

}  // namespace svc::discounts
