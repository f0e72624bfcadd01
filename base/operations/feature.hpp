// The feature of operations: the sample catalogue and its sales.
#pragma once

#include "base/booking/feature.hpp"
#include "base/operations/samples.hpp"
#include "base/site/feature.hpp"

namespace svc::operations {

class Feature final : public svc::Feature {
  public:
    // The parts that create samples.
    struct Lower {
        catalog::media::Feature& media;
        catalog::classifications::Feature& classifications;
        const booking::Feature::Lower& of_bookings;
    };
    Feature(const Site& site, const Lower& lower);

    void add_routes() override;

    Samples samples;

  private:
    SampleSales sales_;
};

}  // namespace svc::operations
