// The feature of discounts: coupons and group discounts, their routes and their end by the clock.
#pragma once

#include "base/catalog/trips/feature.hpp"
#include "base/feature/feature.hpp"
#include "base/sales/discounts/service.hpp"

namespace svc::discounts {

class Feature final : public svc::Feature {
  public:
    Feature(const Site& site, const catalog::trips::Feature& trips)
        : svc::Feature(site),
          service({.store = site.store,
                   .settings = site.settings,
                   .clock = site.clock,
                   .module_enabled = site.module_enabled}),
          trips_(trips) {}

    void add_routes() override;
    void add_jobs() override;
    void follow_changes() override;

    Service service;

  private:
    const catalog::trips::Feature& trips_;
};

}  // namespace svc::discounts
