// The feature of operations: the sample catalogue and its sales.
#pragma once

#include "base/catalog/classifications/feature.hpp"
#include "base/catalog/media/feature.hpp"
#include "base/catalog/trips/feature.hpp"
#include "base/discounts/feature.hpp"
#include "base/operations/samples.hpp"
#include "base/pricing/feature.hpp"
#include "base/site/feature.hpp"

namespace svc::operations {

class Feature final : public svc::Feature {
  public:
    // What samples are made of.
    struct Lower {
        catalog::media::Feature& media;
        catalog::classifications::Feature& classifications;
        catalog::trips::Feature& trips;
        availability::Services& availability;
        discounts::Feature& discounts;
        pricing::Feature& pricing;
        payment::Gateways& gateways;
    };
    Feature(const Site& site, const Lower& lower);

    void add_routes() override;

    Samples samples;

  private:
    SampleSales sales_;
};

}  // namespace svc::operations
