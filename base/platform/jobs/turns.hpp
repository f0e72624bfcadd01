// When a job is due, worked out from the clock alone.
#pragma once

#include "base/platform/jobs/jobs.hpp"
#include "shared/core/date.hpp"

namespace svc::jobs {

// The turn a job that is due now would take.
struct Turn {
    std::optional<Date> day;  // daily jobs: the local day it counts for, the latest whose time has come
    Instant next;             // the turn after it
};

// A daily time that does not exist that day is the moment of the clock change; of one that occurs twice, the first.
Turn turn_at(const Job& job, const Zone& zone, Instant now);

}  // namespace svc::jobs
