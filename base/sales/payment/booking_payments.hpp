// Implements the bookings' port to payments.
#pragma once

#include "base/sales/booking/record/ports.hpp"
#include "base/sales/payment/capture/service.hpp"

namespace svc::payment {

class BookingPayments final : public booking::Payments {
  public:
    explicit BookingPayments(Service& service) : service_(service) {}

    Result<void> receive(store::Transaction& tx, const booking::Booking& booking, const Money& amount,
                         std::optional<std::int64_t> user_id, Instant now) override;
    [[nodiscard]] bool confirms(store::Transaction& tx, const booking::Booking& booking,
                                const Money& amount) const override {
        return service_.confirms(tx, booking.id, Channel::offline, amount >= booking.balance());
    }
    Result<void> reckon(store::Transaction& tx, const booking::Booking& booking, Instant now) override;
    void called_off(store::Transaction& tx, std::int64_t booking_id, Instant now) override;
    Result<void> forget(store::Transaction& tx, std::int64_t booking_id) override;
    [[nodiscard]] bool takes(std::string_view gateway) const override { return service_.takes(gateway); }
    void add_payments(store::Session& session, std::int64_t booking_id, bool for_staff,
                      json::Value& detail) const override;
    [[nodiscard]] std::optional<Rate> deposit_of(store::Session& session, const std::string& gateway) const override;
    [[nodiscard]] booking::TimeToPay time_to_pay(store::Session& session, const std::string& gateway) const override;
    [[nodiscard]] Reminders reminders() const override;
    [[nodiscard]] Money refunded(store::Session& session, const booking::Booking& booking) const override;
    [[nodiscard]] bool is_awaited(store::Session& session, std::int64_t booking_id, Instant now) const override;

  private:
    Service& service_;
};

// The gateways that bookings are made with.
class BookingGateways final : public booking::Gateways {
  public:
    explicit BookingGateways(Service& service) : service_(service) {}

    [[nodiscard]] Result<void> allows(std::string_view gateway, const Money& amount) const override {
        const auto one = service_.gateways.bookable(gateway, amount);
        return one ? Result<void>{} : one.error();
    }
    [[nodiscard]] bool confirms_new(store::Transaction& tx, const booking::Booking& booking) const override {
        return service_.confirms_new(tx, booking);
    }

  private:
    Service& service_;
};

}  // namespace svc::payment
