// The payment gateways of Pro.
#pragma once

#include "pro/common/feature.hpp"

namespace svc::pro::gateways {

class Feature final : public pro::Feature {
  public:
    using pro::Feature::Feature;

    void declare() override;
    void connect() override;
};

}  // namespace svc::pro::gateways
