// The module scheduled_payments: plans and charges the balance of bookings.
#pragma once

#include "pro/common/feature.hpp"
#include "pro/scheduled_payments/plans.hpp"
#include "pro/scheduled_payments/service.hpp"

namespace svc::pro::scheduled_payments {

class Feature final : public pro::Feature {
  public:
    explicit Feature(const Site& site);

    // The base can charge without the customer, runs jobs and reports payments.
    static bool fits(const Site& site);

    void declare() override;
    void connect() override;
    void add_routes() override;
    void add_jobs() override;

    Service service;
    Plans plans;

  private:
    // The filters by which the plan of a trip divides its prices.
    void divide_prices(const hooks::Listener& listener);

    bool has_plans_ = false;  // the base shows plans
};

}  // namespace svc::pro::scheduled_payments
