// The feature of payments: records, gateways, the checkout, refunds, saved methods and the reconciliation.
#pragma once

#include "base/payment/booking_payments.hpp"
#include "base/payment/checkout/checkout.hpp"
#include "base/site/feature.hpp"

namespace svc::payment {

class Feature final : public svc::Feature {
  public:
    // `session` finds the checkout session whose secret a request holds.
    Feature(const Site& site, booking::Service& bookings, SessionOf session);

    void connect() override { bookings_.followed_by(&for_bookings); }
    void declare() override;
    void add_routes() override;
    void add_jobs() override;
    void follow_changes() override;
    Result<std::int64_t> renew_sealed() override { return service.gateways.renew_sealed(); }

    Gateways gateways;  // a plugin adds its own
    Service service;
    BookingPayments for_bookings{service};
    Refunds refunds;
    Checkout checkout;

  private:
    booking::Service& bookings_;
    const SessionOf session_;
};

}  // namespace svc::payment
