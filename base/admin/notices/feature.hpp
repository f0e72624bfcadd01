// The feature of notices: warnings, counters of new records, and usage reports (group G18 of routes).
#pragma once

#include "base/admin/notices/counters.hpp"
#include "base/admin/notices/notices.hpp"
#include "base/admin/notices/usage.hpp"
#include "base/feature/feature.hpp"

namespace svc::notices {

// Built at start; afterwards any thread.
class Feature final : public svc::Feature {
  public:
    explicit Feature(const Site& site);

    void declare() override;
    void add_routes() override;
    void add_jobs() override { usage.add_jobs(); }

    Notices notices;    // features above add sources
    Counters counters;  // and sections
    Usage usage;
};

}  // namespace svc::notices
