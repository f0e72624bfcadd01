// What e-mails ask of bookings, of their payments and of their documents.
#pragma once

#include <optional>
#include <string>

#include "shared/json/value.hpp"

namespace svc::messaging {

// Any thread, never inside a transaction. `booking` is always a booking as on the wire.
class Bookings {
  public:
    virtual ~Bookings() = default;

    // As the booking's own events have it; nothing: there is no such booking.
    [[nodiscard]] virtual std::optional<json::Value> find(std::int64_t booking_id) const = 0;
    // As staff read it.
    [[nodiscard]] virtual std::optional<json::Value> detail(std::int64_t booking_id) const = 0;
    // special_requests, contact_data and emergency_contact; null: there is no such booking.
    [[nodiscard]] virtual json::Value answers(std::int64_t booking_id) const = 0;
    // Who travels, their fields by key, without what is sealed at rest.
    [[nodiscard]] virtual json::Array travelers(std::int64_t booking_id) const = 0;
    // The latest completed payment.
    [[nodiscard]] virtual std::optional<json::Value> last_payment(std::int64_t booking_id) const = 0;
    // id, title, slug, trip_type and categories, those above them too; null: there is no such trip.
    [[nodiscard]] virtual json::Value trip(std::int64_t trip_id) const = 0;

    // The page that proves a guest's address, and the page that pays the booking.
    [[nodiscard]] virtual std::string verification_page(const json::Value& booking) const = 0;
    [[nodiscard]] virtual std::string pay_page(const json::Value& booking) const = 0;
    // The page of the booking's trip.
    [[nodiscard]] virtual std::string trip_page(const json::Value& booking) const = 0;
    // How to pay with an offline gateway; empty for the others.
    [[nodiscard]] virtual std::string instructions(const std::string& gateway, const json::Value& booking) const = 0;
    // What customers know a gateway by.
    [[nodiscard]] virtual std::string gateway_title(const std::string& gateway) const = 0;

    struct CreditNote {
        std::string number, url;
    };
    // Of a refund as its action has it. Throws std::runtime_error when it cannot be issued now.
    [[nodiscard]] virtual CreditNote credit_note(const json::Value& refund) const = 0;
};

}  // namespace svc::messaging
