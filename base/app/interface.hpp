// The interface as a whole: discovery, its own settings, and the upkeep of data that belongs to no single feature.
#pragma once

#include "base/app/platform.hpp"
#include "base/people/identity/feature.hpp"
#include "base/plugins/feature.hpp"

namespace svc::app {

class Interface final : public svc::Feature {
  public:
    Interface(const Site& site, Platform& platform, identity::Feature& identity, const plugins::Feature& plugins)
        : svc::Feature(site), platform_(platform), identity_(identity), plugins_(plugins) {}

    void declare() override;
    void add_routes() override;
    void add_jobs() override;
    void follow_changes() override;

  private:
    Platform& platform_;
    identity::Feature& identity_;
    const plugins::Feature& plugins_;
};

}  // namespace svc::app
