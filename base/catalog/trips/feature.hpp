// The feature of trips: their rules and routes, and the published ones in memory.
#pragma once

#include <functional>
#include <vector>

#include "base/catalog/classifications/feature.hpp"
#include "base/catalog/media/feature.hpp"
#include "base/catalog/trips/editor/service.hpp"
#include "base/feature/feature.hpp"
#include "base/settings/feature.hpp"

namespace svc::catalog::trips {

class Feature final : public svc::Feature {
  public:
    Feature(const Site& site, settings::Feature& settings, media::Feature& media,
            classifications::Feature& classifications);

    void connect() override;
    void declare() override;
    void add_routes() override;
    void add_jobs() override;
    void follow_changes() override;
    void load() override;
    void start(bool with_jobs) override;
    void stop() override;

    // For the features above, at start-up. Runs each time before the published trips are read, so that the data of
    // their parts is in memory by then.
    void before_loading(std::function<void()> work) { before_loading_.push_back(std::move(work)); }
    // Deletes the feature's data of a trip, in the transaction that permanently deletes the trip; an error prevents it.
    void when_removed(Lifecycle::Release release) { releases_.push_back(std::move(release)); }

    Service service;

  private:
    settings::Feature& settings_;
    media::Feature& media_;
    classifications::Feature& classifications_;
    std::vector<std::function<void()>> before_loading_;
    std::vector<Lifecycle::Release> releases_;
};

}  // namespace svc::catalog::trips
