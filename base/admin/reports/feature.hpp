// The feature of reports: sales, revenue and occupancy, with the rows behind each figure (group G16 of routes).
#pragma once

#include "base/feature/feature.hpp"

namespace svc::reports {

// Stateless; any thread.
class Feature final : public svc::Feature {
  public:
    explicit Feature(const Site& site) : svc::Feature(site) {}
    void add_routes() override;
};

}  // namespace svc::reports
