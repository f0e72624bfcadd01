// The module google_analytics: purchases and refunds are reported to Google Analytics for visitors who agreed to it.
#pragma once

#include "pro/common/feature.hpp"
#include "pro/tracking/reporting.hpp"

namespace svc::pro::google_analytics {

class Feature final : public pro::Feature {
  public:
    explicit Feature(const Site& site);

    static bool fits(const Site& site) { return tracking::Reporting::fits(site); }

    void declare() override;
    void connect() override;
    void add_routes() override;
    void add_jobs() override;

    tracking::Reporting reporting;
};

}  // namespace svc::pro::google_analytics
