// The bookings, payments, documents and accounts that e-mails are about.
#pragma once

#include <optional>
#include <string>

#include "base/sales/booking/cancellation/agreed.hpp"
#include "base/sales/booking/record/meeting.hpp"
#include "base/sales/booking/record/payment_plan.hpp"
#include "shared/api/permission.hpp"
#include "shared/json/value.hpp"

namespace svc::messaging {

// Any thread, never inside a transaction. `booking` is always a booking as on the wire.
class Bookings {
  public:
    virtual ~Bookings() = default;

    // As the booking's own events have it, for listeners; nothing: the booking does not exist.
    [[nodiscard]] virtual std::optional<json::Value> find(std::int64_t booking_id) const = 0;
    // As this caller reads it, for routes; nothing: it does not exist or is not theirs to read.
    [[nodiscard]] virtual std::optional<json::Value> seen(std::int64_t booking_id, const api::Caller& caller) const = 0;
    // special_requests, contact_data and emergency_contact, without answers that are sealed at rest; null: the booking
    // does not exist.
    [[nodiscard]] virtual json::Value answers(std::int64_t booking_id) const = 0;
    // The travelers' fields by key, likewise.
    [[nodiscard]] virtual json::Array travelers(std::int64_t booking_id) const = 0;
    // The latest completed payment.
    [[nodiscard]] virtual std::optional<json::Value> last_payment(std::int64_t booking_id) const = 0;
    // id, title, slug, trip_type and categories with their ancestors; null: the trip does not exist.
    [[nodiscard]] virtual json::Value trip(std::int64_t trip_id) const = 0;

    // The page that proves a guest's address, and the page that pays the booking.
    [[nodiscard]] virtual std::string verification_page(const json::Value& booking) const = 0;
    struct OwnPage {
        std::string url;  // the site's, where the booking does not exist
        std::optional<booking::PlannedMoney> money;
    };
    // The booking's page, with the link's secret: for its contact alone. Without it if that is another one by now. And
    // its money, by the same read.
    [[nodiscard]] virtual OwnPage booking_page(std::int64_t booking_id, const json::Value& booking) const = 0;
    [[nodiscard]] virtual std::string pay_page(const json::Value& booking) const = 0;
    // The page of the booking's trip.
    [[nodiscard]] virtual std::string trip_page(const json::Value& booking) const = 0;
    // How to pay with an offline gateway, in that language; empty for the others.
    [[nodiscard]] virtual std::string instructions(const std::string& gateway, const json::Value& booking,
                                                   std::string_view locale) const = 0;
    // What customers call a gateway, or an instrument that staff record.
    [[nodiscard]] virtual std::string gateway_title(const std::string& gateway, std::string_view locale) const = 0;
    // The booking's money now; nothing: the booking does not exist.
    [[nodiscard]] virtual std::optional<booking::PlannedMoney> money(std::int64_t booking_id) const = 0;
    // What its customer agreed to about cancelling; nothing: nothing.
    [[nodiscard]] virtual std::optional<booking::ShownCancellation> cancellation(std::int64_t /*booking_id*/) const {
        return std::nullopt;
    }
    [[nodiscard]] virtual booking::Meeting meeting(std::int64_t booking_id) const = 0;  // empty: not known

    // The language that an account has chosen; empty: none.
    [[nodiscard]] virtual std::string account_language(std::int64_t user_id) const = 0;

    struct CreditNote {
        std::string number, url;
    };
    // Of a refund as its action has it. Throws std::runtime_error when it cannot be issued now.
    [[nodiscard]] virtual CreditNote credit_note(const json::Value& refund) const = 0;
};

}  // namespace svc::messaging
