// The feature of settings: those of the site itself, their routes, the site's pages.
#pragma once

#include <functional>
#include <vector>

#include "base/feature/feature.hpp"

namespace svc::settings {

class Feature final : public svc::Feature {
  public:
    using svc::Feature::Feature;

    void declare() override;
    void add_routes() override;
    void follow_changes() override;
    Result<std::int64_t> renew_sealed() override { return site_.settings.renew_sealed(); }

    // Runs after the routes wrote settings and before they answer, for state that must agree by then. [start-up]
    void when_written(std::function<void()> then) { when_written_.push_back(std::move(then)); }

  private:
    std::vector<std::function<void()>> when_written_;
};

}  // namespace svc::settings
