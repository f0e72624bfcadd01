// What the pages of checkout show of paying, from the payments' services.
#pragma once

#include "base/booking/record/ports.hpp"
#include "base/payment/checkout.hpp"
#include "base/payment/service.hpp"

namespace svc::payment {

// Any thread.
class BookingPages final : public booking::PaymentPages {
  public:
    BookingPages(Service& service, Checkout& checkout, const settings::Settings& settings)
        : service_(service), checkout_(checkout), settings_(settings) {}

    [[nodiscard]] json::Value usable(const Money& amount) const override;
    [[nodiscard]] api::Type usable_answer() const override;
    [[nodiscard]] Instructions instructions() const override;
    [[nodiscard]] Result<json::Value> balance(const std::string& secret, const api::Caller& caller) const override {
        return checkout_.read_remaining(secret, caller);
    }
    [[nodiscard]] Result<void> end_balance(const std::string& secret, const api::Caller& caller) const override {
        return checkout_.close_remaining(secret, caller);
    }

  private:
    Service& service_;
    Checkout& checkout_;
    const settings::Settings& settings_;
};

}  // namespace svc::payment
