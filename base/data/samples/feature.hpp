// The feature of operations: the sample catalogue and its sales.
#pragma once

#include "base/data/samples/samples.hpp"
#include "base/feature/feature.hpp"
#include "base/sales/booking/feature.hpp"

namespace svc::samples {

class Feature final : public svc::Feature {
  public:
    // The parts that create samples.
    struct Needs {
        catalog::media::Feature& media;
        catalog::classifications::Feature& classifications;
        const booking::Feature::Needs& of_bookings;
    };
    Feature(const Site& site, const Needs& lower);

    void add_routes() override;

    Samples samples;

  private:
    SampleSales sales_;
};

}  // namespace svc::samples
