// One builder for each kind of event.
#include "base/messaging/events_catalogue/catalogue.hpp"

#include <array>

#include "base/people/identity/hooks.hpp"
#include "base/sales/booking/record/hooks.hpp"
#include "base/sales/payment/record/hooks.hpp"

namespace svc::events_catalogue {
namespace {

using json::Value;

std::optional<Occurrence> of_booking(const Value& booking) {
    if (!booking["id"].is_number())
        return std::nullopt;
    return Occurrence{.subject_id = booking["id"].integer(), .payload = Value::object({{"booking", booking}})};
}

std::optional<Occurrence> booking_of_arguments(const json::Array& arguments, const FindBooking&) {
    Value booking = arguments.at(1);
    if (!booking["id"].is_number())
        booking.set("id", arguments.at(0));
    return of_booking(booking);
}

// An unverified address receives the verification alone: the person who typed it may not own it.
std::optional<Occurrence> created_booking(const json::Array& arguments, const FindBooking& find) {
    return arguments.at(1).text_or("status") == "pending_verification" ? std::nullopt
                                                                       : booking_of_arguments(arguments, find);
}

std::optional<Occurrence> unverified_booking(const json::Array& arguments, const FindBooking& find) {
    return arguments.at(1).text_or("status") == "pending_verification" ? booking_of_arguments(arguments, find)
                                                                       : std::nullopt;
}

std::optional<Occurrence> with_booking(const Value& context, const char* member, Value about, const FindBooking& find) {
    const auto id = context.maybe_integer("booking_id");
    auto booking = id ? find(*id) : std::nullopt;
    auto record = booking ? of_booking(*booking) : std::nullopt;
    if (record)
        record->payload.set(member, std::move(about));
    return record;
}

std::optional<Occurrence> payment_of(const json::Array& arguments, const FindBooking& find, bool settles) {
    const Value& payment = arguments.at(0);
    if (payment.maybe_boolean("fully_paid").value_or(false) != settles)
        return std::nullopt;
    return with_booking(payment, "payment", payment, find);
}

std::optional<Occurrence> paid_in_full(const json::Array& arguments, const FindBooking& find) {
    return payment_of(arguments, find, true);
}
std::optional<Occurrence> paid_in_part(const json::Array& arguments, const FindBooking& find) {
    return payment_of(arguments, find, false);
}

std::optional<Occurrence> of_scheduled(const json::Array& arguments, const FindBooking& find) {
    Value scheduled = arguments.at(2);
    scheduled.set("scheduled_payment_id", arguments.at(0));
    return with_booking(arguments.at(2), "scheduled_payment", std::move(scheduled), find);
}

// Links and their moments stay out: they prove something.
std::optional<Occurrence> of_account(const json::Array& arguments, const FindBooking&) {
    Value account = Value::object({{"id", arguments.at(0)}});
    for (const char* member : {"name", "email", "new_email"})
        if (const auto text = arguments.at(1).maybe_text(member))
            account.set(member, *text);
    return Occurrence{.subject_id = arguments.at(0).integer(),
                      .payload = Value::object({{"account", std::move(account)}})};
}

const std::array kinds{
    EventKind{"booking.created", booking::booking_created.name, "Booking created", created_booking},
    EventKind{"booking.created", booking::email_verified.name, "Booking created", booking_of_arguments},
    EventKind{"booking.confirmed", booking::booking_confirmed.name, "Booking confirmed", booking_of_arguments},
    EventKind{"booking.completed", booking::booking_completed.name, "Booking completed", booking_of_arguments},
    EventKind{"booking.cancelled", booking::booking_cancelled.name, "Booking cancelled", booking_of_arguments},
    EventKind{"booking.expired", booking::booking_expired.name, "Booking expired", booking_of_arguments},
    EventKind{"payment.received", payment::payment_completed.name, "Payment received", paid_in_full},
    EventKind{"payment.partial_received", payment::payment_completed.name, "Part payment received", paid_in_part},
    EventKind{"scheduled.payment.succeeded", payment::scheduled_success.name, "Scheduled payment charged",
              of_scheduled},
    EventKind{"scheduled.payment.failed", payment::scheduled_failed.name, "Scheduled payment failed", of_scheduled},
    EventKind{"account.email_verification", identity::verification_due.name, "Address to be verified", of_account},
    EventKind{"account.email_verification", booking::booking_created.name, "Address to be verified",
              unverified_booking},
    EventKind{"account.email_verification", booking::verification_requested.name, "Address to be verified",
              booking_of_arguments},
    EventKind{"account.email_change_request", identity::address_change_due.name, "Change of address requested",
              of_account},
    EventKind{"account.email_changed", identity::address_changed.name, "Address changed", of_account}};

}  // namespace

std::span<const EventKind> event_kinds() { return kinds; }

}  // namespace svc::events_catalogue
