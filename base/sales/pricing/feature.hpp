// The feature of prices: quotes and their settings.
#pragma once

#include "base/feature/feature.hpp"
#include "base/sales/discounts/feature.hpp"
#include "base/sales/pricing/quote.hpp"

namespace svc::pricing {

class Feature final : public svc::Feature {
  public:
    Feature(const Site& site, discounts::Feature& discounts);

    void declare() override;

    Pricing service;
};

}  // namespace svc::pricing
