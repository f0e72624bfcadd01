// The feature of the admin: its start data for the signed-in person. Everything else uses the other features'
// routes.
#pragma once

#include "base/feature/feature.hpp"

namespace svc::admin {

class Feature final : public svc::Feature {
  public:
    explicit Feature(const Site& site) : svc::Feature(site) {}

    void declare() override;
    void add_routes() override;

  private:
    [[nodiscard]] json::Value start_data(std::int64_t user_id) const;
};

}  // namespace svc::admin
