// The bookings of this installation, for e-mails.
#pragma once

#include "base/catalog/trips/feature.hpp"
#include "base/feature/site.hpp"
#include "base/messaging/templates/bookings.hpp"
#include "base/sales/booking/feature.hpp"
#include "base/sales/booking/record/verification.hpp"
#include "base/sales/documents/feature.hpp"
#include "base/sales/payment/feature.hpp"

namespace svc::messaging {

// Its parts outlive it.
class SoldBookings final : public Bookings {
  public:
    struct Parts {
        const Site& site;
        catalog::trips::Feature& trips;
        booking::Feature& bookings;
        payment::Feature& payments;
        documents::Feature& documents;
    };
    explicit SoldBookings(Parts parts) : parts_(parts), links_(*parts.site.keyring, parts.site.hooks) {}

    [[nodiscard]] std::optional<json::Value> find(std::int64_t booking_id) const override;
    [[nodiscard]] std::optional<json::Value> seen(std::int64_t booking_id, const api::Caller& caller) const override;
    [[nodiscard]] json::Value answers(std::int64_t booking_id) const override;
    [[nodiscard]] json::Array travelers(std::int64_t booking_id) const override;
    [[nodiscard]] std::optional<json::Value> last_payment(std::int64_t booking_id) const override;
    [[nodiscard]] json::Value trip(std::int64_t trip_id) const override;
    [[nodiscard]] std::string verification_page(const json::Value& booking) const override;
    [[nodiscard]] OwnPage booking_page(std::int64_t booking_id, const json::Value& booking) const override;
    [[nodiscard]] std::string pay_page(const json::Value& booking) const override;
    [[nodiscard]] std::string trip_page(const json::Value& booking) const override;
    [[nodiscard]] std::string instructions(const std::string& gateway, const json::Value& booking,
                                           std::string_view locale) const override;
    [[nodiscard]] std::string gateway_title(const std::string& gateway, std::string_view locale) const override;
    [[nodiscard]] std::optional<booking::PlannedMoney> money(std::int64_t booking_id) const override;
    [[nodiscard]] std::optional<booking::ShownCancellation> cancellation(std::int64_t booking_id) const override;
    [[nodiscard]] booking::Meeting meeting(std::int64_t booking_id) const override;
    [[nodiscard]] std::string account_language(std::int64_t user_id) const override;
    [[nodiscard]] CreditNote credit_note(const json::Value& refund) const override;

  private:
    const Parts parts_;
    const booking::Verification links_;
};

}  // namespace svc::messaging
