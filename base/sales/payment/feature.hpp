// The feature of payments: records, gateways, the checkout, refunds, saved methods and the reconciliation.
#pragma once

#include "base/feature/feature.hpp"
#include "base/sales/booking/feature.hpp"
#include "base/sales/payment/booking_pages.hpp"
#include "base/sales/payment/booking_payments.hpp"
#include "base/sales/payment/checkout/checkout.hpp"

namespace svc::payment {

class Feature final : public svc::Feature {
  public:
    Feature(const Site& site, booking::Feature& bookings);

    void connect() override;
    void declare() override;
    void add_routes() override;
    void add_jobs() override;
    void follow_changes() override;
    void load() override;
    Result<std::int64_t> renew_sealed() override { return service.gateways.renew_sealed(); }

    Gateways gateways;  // a plugin adds its own
    Service service;
    BookingPayments for_bookings{service};
    BookingGateways gateways_for_bookings{service};
    Refunds refunds;
    Checkout checkout;
    BookingPages pages_for_bookings{service.gateways, checkout, site_.settings};

  private:
    booking::Feature& bookings_;
};

}  // namespace svc::payment
