// The parts of checkout pages about payment, from the payments' services.
#pragma once

#include "base/sales/booking/record/ports.hpp"
#include "base/sales/payment/checkout/checkout.hpp"
#include "base/sales/payment/gateways/service.hpp"

namespace svc::payment {

// Any thread.
class BookingPages final : public booking::PaymentPages {
  public:
    BookingPages(GatewayService& gateways, Checkout& checkout, const settings::Settings& settings)
        : gateways_(gateways), checkout_(checkout), settings_(settings) {}

    [[nodiscard]] json::Value usable(const Money& amount,
                                     const std::optional<booking::Departs>& departs) const override;
    [[nodiscard]] api::Type usable_answer() const override;
    [[nodiscard]] Instructions instructions() const override;
    [[nodiscard]] Result<json::Value> balance(const std::string& secret, const api::Caller& caller) const override {
        return checkout_.balances.read(secret, caller);
    }
    [[nodiscard]] Result<void> end_balance(const std::string& secret, const api::Caller& caller) const override {
        return checkout_.balances.close(secret, caller);
    }

  private:
    GatewayService& gateways_;
    Checkout& checkout_;
    const settings::Settings& settings_;
};

}  // namespace svc::payment
