// The module dynamic_pricing: prices that depend on season, demand, seats and notice.
#pragma once

#include "pro/common/feature.hpp"
#include "pro/dynamic_pricing/pricing.hpp"

namespace svc::pro::dynamic_pricing {

class Feature final : public pro::Feature {
  public:
    explicit Feature(const Site& site) : pro::Feature(site), pricing(site) {}
    // An older base shows its dates without asking: they would have another price than their bookings.
    static bool fits(const Site& site);

    void declare() override;
    void add_routes() override;
    void add_jobs() override;

    Pricing pricing;

  private:
    Result<json::Value> calculate_demand(Instant now);
    // Lists of trips are to show other prices once the transaction has committed; last in it.
    void note_change(store::Transaction& tx);
};

}  // namespace svc::pro::dynamic_pricing
