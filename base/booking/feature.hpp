// The feature of bookings: its services, routes, jobs, and what it declares.
#pragma once

#include "base/booking/services.hpp"
#include "base/booking/upkeep/trip_counts.hpp"
#include "base/identity/human_check.hpp"
#include "base/site/feature.hpp"

namespace svc::booking {

// Features above connect themselves to `ports` before add_routes().
class Feature final : public svc::Feature, public Services {
  public:
    struct Needs {
        catalog::trips::Service& trips;
        availability::Services& availability;
        pricing::Pricing& pricing;
        discounts::Service& discounts;
    };
    Feature(const Site& site, const Needs& needs);

    void declare() override;
    void add_routes() override;
    void add_jobs() override;
    void start(bool with_jobs) override;
    Result<std::int64_t> renew_sealed() override { return upkeep.renew_sealed(); }

    TripCounts trip_counts;

  private:
    [[nodiscard]] std::string client_of(const std::string& address) const;

    const identity::HumanCheck human_;
};

}  // namespace svc::booking
