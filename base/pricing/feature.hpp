// The feature of prices: what a quote goes by, and the settings of it.
#pragma once

#include "base/discounts/feature.hpp"
#include "base/pricing/quote.hpp"
#include "base/site/feature.hpp"

namespace svc::pricing {

class Feature final : public svc::Feature {
  public:
    Feature(const Site& site, discounts::Feature& discounts);

    void declare() override;

    Pricing service;
};

}  // namespace svc::pricing
