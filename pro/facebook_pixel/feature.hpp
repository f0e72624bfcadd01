// The module facebook_pixel: purchases and refunds are reported to Meta for visitors who agreed to marketing.
#pragma once

#include "pro/common/feature.hpp"
#include "pro/tracking/reporting.hpp"

namespace svc::pro::facebook_pixel {

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

}  // namespace svc::pro::facebook_pixel
