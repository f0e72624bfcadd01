// The feature of modules: routes and hooks over the platform's modules.
#pragma once

#include "base/feature/feature.hpp"
#include "base/modules/site_modules.hpp"

namespace svc::modules {

class Feature final : public svc::Feature {
  public:
    Feature(const Site& site, SiteModules& modules) : svc::Feature(site), modules_(modules) {}

    void declare() override;
    void add_routes() override;
    void follow_changes() override;
    Result<std::int64_t> renew_sealed() override { return modules_.renew_sealed(); }

  private:
    SiteModules& modules_;
};

}  // namespace svc::modules
