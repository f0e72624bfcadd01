// The feature of departures and dates: dates on sale, and seats.
#pragma once

#include "base/catalog/trips/feature.hpp"
#include "base/feature/feature.hpp"
#include "base/sales/availability/dates/from_prices.hpp"
#include "base/sales/availability/feeds/feeds.hpp"
#include "base/sales/availability/services.hpp"

namespace svc::availability {

// Trips show its dates, are filtered by them, copy its rules with a duplicate and delete its rows with them.
class Feature final : public svc::Feature {
  public:
    Feature(const Site& site, catalog::trips::Feature& trips);

    void connect() override;
    void declare() override;
    void add_routes() override;
    void add_jobs() override;
    void follow_changes() override;
    void load() override;
    void start(bool with_jobs) override;
    void stop() override;

    Services services;
    FromPrices from_prices;
    Feeds feeds;

  private:
    catalog::trips::Feature& trips_;
};

}  // namespace svc::availability
