// The module additional_services: services that are sold with a booking.
#pragma once

#include "pro/additional_services/pricing.hpp"
#include "pro/common/feature.hpp"

namespace svc::pro::additional_services {

class Feature final : public pro::Feature {
  public:
    explicit Feature(const Site& site)
        : pro::Feature(site),
          pricing(
              site.store, site.clock, [&site] { return site.zone(); }, site.changes != nullptr) {}

    void declare() override;
    void connect() override;
    void add_routes() override;
    void add_jobs() override;

    Pricing pricing;
};

}  // namespace svc::pro::additional_services
