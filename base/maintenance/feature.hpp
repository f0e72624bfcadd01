// The operator's tools: jobs that staff start, the log, the clockwork, caches (spec 4.11; group G17 of routes).
#pragma once

#include "base/catalog/trips/feature.hpp"
#include "base/feature/feature.hpp"
#include "base/maintenance/log_book.hpp"
#include "base/maintenance/tasks.hpp"
#include "base/platform/caches/caches.hpp"
#include "base/sales/availability/feature.hpp"

namespace svc::maintenance {

// Built at start; afterwards any thread.
class Feature final : public svc::Feature {
  public:
    // The caches to list; the assembly adds those of features above.
    struct Needs {
        catalog::trips::Feature& trips;
        availability::Feature& availability;
    };
    Feature(const Site& site, const Needs& lower);

    void declare() override;
    void add_routes() override;
    void add_jobs() override;
    void follow_changes() override;
    void start(bool with_jobs) override;
    void stop() override;

    Tasks tasks;  // features above add their types of task
    caches::Caches caches;

  private:
    LogBook log_;
};

}  // namespace svc::maintenance
