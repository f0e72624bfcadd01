// Work by the clock: named jobs that run once across all processes of an installation, recorded in svc_jobs.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "shared/core/date.hpp"
#include "shared/json/value.hpp"
#include "shared/store/store.hpp"

namespace svc::jobs {

struct Job {
    std::string name;  // "booking_expiry"
    std::string help;  // one sentence
    std::chrono::seconds every{3600};
    // Runs outside any transaction; returns counts for the record. Throwing or an error is recorded and the
    // job is due again at its next turn.
    std::function<Result<json::Value>(Instant now)> run;
    // Set: once a local day at this time instead of `every` (site zone; a skipped or repeated hour runs once).
    std::optional<ClockTime> daily_at = {};
};

class Jobs {
  public:
    virtual ~Jobs() = default;
    virtual void add(Job job) = 0;                   // [start-up]
    virtual void start() = 0;                        // starts the timers on a separate thread
    virtual void stop() = 0;                         // lets a running job end
    virtual void wake(const std::string& name) = 0;  // due now; from any thread, also from after_commit
    // Runs one now in the caller's thread unless another process has it: 409 svc_conflict.
    virtual Result<json::Value> run_now(const std::string& name) = 0;
    [[nodiscard]] virtual std::vector<Job> all() const = 0;
};

}  // namespace svc::jobs
