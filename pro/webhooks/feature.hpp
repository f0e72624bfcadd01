// The module webhooks: events of the site are sent to endpoints of the operator.
#pragma once

#include "pro/common/feature.hpp"
#include "pro/webhooks/dispatcher.hpp"
#include "pro/webhooks/service.hpp"

namespace svc::pro::webhooks {

class Feature final : public pro::Feature {
  public:
    explicit Feature(const Site& site);

    // It needs jobs, requests to other servers and the automation events.
    static bool fits(const Site& site);

    void declare() override;
    void connect() override;
    void add_routes() override;
    void add_jobs() override;

    Service service;
    Dispatcher dispatcher;
};

}  // namespace svc::pro::webhooks
