// The feature of messaging: e-mails about bookings and accounts, and the queue that sends them.
#pragma once

#include "base/account/feature.hpp"
#include "base/identity/feature.hpp"
#include "base/messaging/bookings.hpp"
#include "base/messaging/listeners.hpp"
#include "base/messaging/plugin_mails.hpp"
#include "base/messaging/sender.hpp"
#include "base/privacy/feature.hpp"
#include "base/reviews/feature.hpp"
#include "base/site/feature.hpp"

namespace svc::messaging {

class Feature final : public svc::Feature {
  public:
    // These make the links in e-mails.
    struct Accounts {
        identity::Feature& identity;
        account::Feature& account;
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
