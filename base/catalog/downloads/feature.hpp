// The feature of downloads: files of trips, for everyone or for those who booked.
#pragma once

#include "base/catalog/downloads/service.hpp"
#include "base/catalog/trips/feature.hpp"
#include "base/feature/feature.hpp"

namespace svc::catalog::downloads {

class Feature final : public svc::Feature {
  public:
    Feature(const Site& site, trips::Feature& trips, const media::Feature& media);

    void connect() override;
    void add_routes() override;

    Service service;

  private:
    trips::Feature& trips_;
    const media::Feature& media_;
};

}  // namespace svc::catalog::downloads
