// The operator's tools: jobs that staff start, the log, the clockwork, caches (spec 4.11; group G17 of routes).
#pragma once

#include "base/availability/feature.hpp"
#include "base/catalog/trips/feature.hpp"
#include "base/platform/caches/caches.hpp"
#include "base/site/feature.hpp"
#include "base/tools/log_book.hpp"
#include "base/tools/tasks.hpp"

namespace svc::tools {

// Built at start; afterwards any thread.
class Feature final : public svc::Feature {
  public:
    // The caches to list; the assembly adds those of features above.
    struct Lower {
        catalog::trips::Feature& trips;
        availability::Feature& availability;
    };
    Feature(const Site& site, const Lower& lower);

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

}  // namespace svc::tools
