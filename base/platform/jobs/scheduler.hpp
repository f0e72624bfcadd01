// Runs jobs at their turns; only scheduler.cpp sees Boost.Asio.
#pragma once

#include <chrono>
#include <functional>
#include <memory>

#include "base/platform/events/process.hpp"
#include "base/platform/jobs/jobs.hpp"
#include "base/platform/metrics/metrics.hpp"

namespace svc::jobs {

struct SchedulerOptions {
    std::string process = events::process_name();
    // How long a job of a process that died stays locked; renewed at a third of it while a job runs.
    std::chrono::milliseconds lease{60'000};
    // How soon a turn that another process set, or left behind, is seen.
    std::chrono::milliseconds look_again{15'000};
    int threads = 2;  // jobs that run at a time
};

// The store, clock, zone and metrics outlive it.
class Scheduler final : public Jobs {
  public:
    // `zone` is called for each run, since the site's zone may change. [any thread]
    Scheduler(store::Store& store, const Clock& clock, std::function<Zone()> zone, metrics::Registry& metrics,
              SchedulerOptions options = {});
    ~Scheduler() override;  // stops

    void add(Job job) override;
    void start() override;
    void stop() override;
    void wake(const std::string& name) override;
    Result<json::Value> run_now(const std::string& name) override;
    [[nodiscard]] std::vector<Job> all() const override;

    // Makes the jobs' rows, as start() does.
    void prepare();
    // Runs due jobs one after the other in the caller's thread; returns how many. For a fixed clock.
    int run_due();

  private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

}  // namespace svc::jobs
