// The feature of attributes: values on trips, and the attributes that public pages show.
#pragma once

#include "base/catalog/attributes/service.hpp"
#include "base/catalog/trips/feature.hpp"
#include "base/feature/feature.hpp"

namespace svc::catalog::attributes {

class Feature final : public svc::Feature {
  public:
    Feature(const Site& site, classifications::Feature& classifications, trips::Feature& trips);

    void connect() override;
    void declare() override;
    void add_routes() override;
    void follow_changes() override;

  private:
    classifications::Feature& classifications_;
    trips::Feature& trips_;
    ShownIds shown_;

  public:
    Service service;
};

}  // namespace svc::catalog::attributes
