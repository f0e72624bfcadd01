// The module saved_trips: visitors save trips, and find them again in their account.
#pragma once

#include "pro/common/feature.hpp"
#include "pro/saved_trips/saved_trips.hpp"

namespace svc::pro::saved_trips {

class Feature final : public pro::Feature {
  public:
    explicit Feature(const Site& site) : pro::Feature(site), trips(site, site.host.need<plugin::Calls>()) {}

    // It needs calls of routes: the base shows the trips.
    static bool fits(const Site& site) { return site.host.find<plugin::Calls>() != nullptr; }

    void declare() override;
    void connect() override;
    void add_routes() override;

    SavedTrips trips;
};

}  // namespace svc::pro::saved_trips
