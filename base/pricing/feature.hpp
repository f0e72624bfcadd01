// The feature of prices: quotes and their settings.
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
