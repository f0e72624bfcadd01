// The feature of bookings: its services, routes, jobs, and what it declares.
#pragma once

#include <functional>
#include <memory>

#include "base/catalog/downloads/feature.hpp"
#include "base/feature/feature.hpp"
#include "base/people/customers/feature.hpp"
#include "base/people/identity/feature.hpp"
#include "base/sales/availability/feature.hpp"
#include "base/sales/booking/desk/customer_bookings.hpp"
#include "base/sales/booking/guest/accounts.hpp"
#include "base/sales/booking/guest/buyers.hpp"
#include "base/sales/booking/guest/links.hpp"
#include "base/sales/booking/services.hpp"
#include "base/sales/booking/upkeep/trip_counts.hpp"
#include "base/sales/pricing/feature.hpp"

namespace svc::booking {

// Features above set `ports` in their connect().
class Feature final : public svc::Feature, public Services {
  public:
    struct Needs {
        identity::Feature& identity;
        customers::Feature& customers;
        catalog::trips::Feature& trips;
        catalog::downloads::Feature& downloads;
        availability::Feature& availability;
        discounts::Feature& discounts;
        pricing::Feature& pricing;
    };
    Feature(const Site& site, const Needs& lower);

    void connect() override;
    void declare() override;
    void add_routes() override;
    void add_jobs() override;
    void start(bool with_jobs) override;
    Result<std::int64_t> renew_sealed() override { return upkeep.renew_sealed(); }

    // Its dependencies, for a second instance over another Site.
    [[nodiscard]] const Needs& lower() const { return lower_; }
    // Finds the open checkout session whose secret a request holds; outlived by the feature.
    [[nodiscard]] std::function<Result<std::optional<OpenSession>>(const api::Request&)> session_of_request();

    TripCounts trip_counts;

  private:
    static Parts parts_of(const Site& site, const Needs& lower);
    [[nodiscard]] std::string client_of(const std::string& address) const;

    const Needs lower_;
    const Buyers buyers_;
    Links links_;
    const CustomerBookings of_customers_;
    std::unique_ptr<RegisteredAccounts> accounts_;
};

}  // namespace svc::booking
