// The feature of messaging: e-mails about bookings and accounts, and the queue that sends them.
#pragma once

#include "base/feature/feature.hpp"
#include "base/messaging/mails/listeners.hpp"
#include "base/messaging/mails/plugin_mails.hpp"
#include "base/messaging/outbox/sender.hpp"
#include "base/messaging/templates/bookings.hpp"
#include "base/people/identity/feature.hpp"
#include "base/people/my_account/feature.hpp"
#include "base/people/privacy/feature.hpp"
#include "base/people/reviews/feature.hpp"

namespace svc::messaging {

class Feature final : public svc::Feature {
  public:
    // These make the links in e-mails.
    struct Accounts {
        identity::Feature& identity;
        my_account::Feature& account;
        privacy::Feature& privacy;
        reviews::Feature& reviews;
    };
    Feature(const Site& site, const Accounts& accounts, const Bookings& bookings);

    void declare() override;
    void add_routes() override;
    void add_jobs() override;
    void stop() override;
    Result<std::int64_t> renew_sealed() override;

    Service service;
    Sender sender;
    PluginMails plugin_mails;

  private:
    [[nodiscard]] AccountLinks account_links() const;

    const Accounts accounts_;
};

}  // namespace svc::messaging
