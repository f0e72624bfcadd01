// The feature of classifications: destinations, activities, trip categories and the other kinds.
#pragma once

#include "base/catalog/classifications/service.hpp"
#include "base/catalog/media/feature.hpp"
#include "base/feature/feature.hpp"

namespace svc::catalog::classifications {

class Feature final : public svc::Feature {
  public:
    Feature(const Site& site, const media::Feature& media);

    void declare() override;
    void add_routes() override;

    Service service;
};

}  // namespace svc::catalog::classifications
