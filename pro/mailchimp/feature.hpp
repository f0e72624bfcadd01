// The module mailchimp: customers who agreed to the newsletter become contacts at Mailchimp.
#pragma once

#include "pro/common/feature.hpp"
#include "pro/mailchimp/routes.hpp"

namespace svc::pro::mailchimp {

class Feature final : public pro::Feature {
  public:
    explicit Feature(const Site& site);

    // It needs jobs, requests to other servers with limits, routes of the base and the automation events.
    static bool fits(const Site& site);

    void declare() override;
    void connect() override;
    void add_routes() override;
    void add_jobs() override;

    const Client client;
    const Sync sync;

  private:
    Cache cache_;
    Root root_;
};

}  // namespace svc::pro::mailchimp
