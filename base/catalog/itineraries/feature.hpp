// The feature of itineraries: the days of trips and their entries.
#pragma once

#include "base/catalog/itineraries/service.hpp"
#include "base/catalog/trips/feature.hpp"
#include "base/feature/feature.hpp"

namespace svc::catalog::itineraries {

class Feature final : public svc::Feature {
  public:
    Feature(const Site& site, trips::Feature& trips, const media::Feature& media);

    void connect() override;
    void declare() override;
    void add_routes() override;

    Service service;

  private:
    trips::Feature& trips_;
    const media::Feature& media_;
};

}  // namespace svc::catalog::itineraries
