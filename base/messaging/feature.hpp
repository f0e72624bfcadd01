// The feature of messaging: e-mails about bookings and accounts, and the queue that sends them.
#pragma once

#include "base/identity/feature.hpp"
#include "base/messaging/bookings.hpp"
#include "base/messaging/sender.hpp"
#include "base/messaging/service.hpp"
#include "base/site/feature.hpp"

namespace svc::messaging {

class Feature final : public svc::Feature {
  public:
    Feature(const Site& site, identity::Feature& identity, const Bookings& bookings);

    void declare() override;
    void add_routes() override;
    void add_jobs() override;
    void stop() override;
    Result<std::int64_t> renew_sealed() override;

    Service service;
    Sender sender;

  private:
    void listen();

    identity::Feature& identity_;
    const Bookings& bookings_;
};

}  // namespace svc::messaging
