// The feature of media: uploaded files, their copies and their routes.
#pragma once

#include <vector>

#include "base/catalog/media/service.hpp"
#include "base/feature/feature.hpp"

namespace svc::catalog::media {

class Feature final : public svc::Feature {
  public:
    explicit Feature(const Site& site);

    void declare() override;
    void add_routes() override;
    void add_jobs() override;
    void start(bool with_jobs) override;

    // Those who show pictures. `changing` runs in the transaction that changes a picture's copies, `changed` after it.
    struct Follower {
        std::function<void(store::Transaction&, std::int64_t media_id)> changing;
        std::function<void()> changed;
    };
    void follow(Follower follower) { followers_.push_back(std::move(follower)); }  // [start-up]

    Service service;

  private:
    std::vector<Follower> followers_;
};

}  // namespace svc::catalog::media
