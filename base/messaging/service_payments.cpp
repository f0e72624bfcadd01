// E-mails of payments: customers and staff hear of each one that has reached us.
#include <stdexcept>

#include "base/messaging/service.hpp"
#include "base/payment/hooks.hpp"

namespace svc::messaging {
namespace {

// The booking as it was when the payment came: another one may have come since.
json::Value as_it_was(json::Value booking, const json::Value& payment) {
    const auto currency = Currency::parse(booking.text_or("currency"));
    if (!currency || !booking["total"].is_number() || !payment["amount_due"].is_number())
        return booking;
    const auto total = Money::parse(booking["total"].number_text(), *currency);
    const auto due = Money::parse(payment["amount_due"].number_text(), *currency);
    if (!total || !due || due->is_zero() || *due > *total)
        return booking;
    booking.set("amount_due", *due);
    booking.set("amount_paid", *total - *due);
    return booking;
}

}  // namespace

Variables Service::of_payment(const json::Value& payment) const {
    const auto currency = Currency::parse(payment.text_or("currency"));
    const auto amount = currency && payment["amount"].is_number()
                            ? Money::parse(payment["amount"].number_text(), *currency)
                            : Result<Money>(errc::not_found);
    return {{"payment_amount_formatted", amount ? settings::look_of(settings_).amount(*amount) : std::string()},
            {"payment_method", payment.text_or("method_label", payment.text_or("method"))},
            {"transaction_id", payment.text_or("transaction_id")}};
}

void Service::listen_to_refunds(FindBooking find, FindCreditNote find_note) {
    const auto done =
        hooks_.on(payment::credit_note_due.name, {.name = "messaging.booking_refunded"},
                  [this, find = std::move(find), find_note = std::move(find_note)](const json::Array& arguments) {
                      const json::Value& refund = arguments.at(0);
                      const auto id = refund["booking_id"].integer();
                      const auto booking = find(id);
                      if (!booking)
                          return;
                      const CreditNote note = find_note(refund);
                      const std::string amount = of_payment(refund)["payment_amount_formatted"];
                      tell_customer({.template_key = "booking_refunded",
                                     .booking_id = id,
                                     .booking = *booking,
                                     .more = {{"refund_amount_formatted", amount},
                                              {"refund_reason", refund.text_or("reason")},
                                              {"credit_note_number", note.number},
                                              {"credit_note_url", note.url}},
                                     .dedupe_key = dedupe_key("booking_refunded", refund["id"].integer())});
                  });
    if (!done)
        throw std::logic_error("messaging cannot listen: " + done.error().cause());
}

void Service::listen_to_payments(FindBooking find) {
    const auto reviewed = hooks_.on(payment::payment_in_review.name, {.name = "messaging.payment_in_review"},
                                    [this, find](const json::Array& arguments) {
                                        const json::Value& payment = arguments.at(0);
                                        const auto id = payment["booking_id"].integer();
                                        const auto booking = find(id);
                                        if (!booking)
                                            return;
                                        auto more = of_payment(payment);
                                        more.emplace("reason", payment.text_or("reason"));
                                        tell_staff({.template_key = "admin_payment_review",
                                                    .booking_id = id,
                                                    .booking = *booking,
                                                    .more = std::move(more),
                                                    .dedupe_key = dedupe_key("admin_payment_review", id)});
                                    });
    if (!reviewed)
        throw std::logic_error("messaging cannot listen: " + reviewed.error().cause());
    const auto done = hooks_.on(
        payment::payment_completed.name, {.name = "messaging.payment_received"},
        [this, find = std::move(find)](const json::Array& arguments) {
            const json::Value& payment = arguments.at(0);
            const auto found = find(payment["booking_id"].integer());
            if (!found || !payment["send_emails"].boolean())
                return;
            const json::Value booking = as_it_was(*found, payment);
            const bool partial = !payment["fully_paid"].boolean();
            const auto tell = [&](std::string_view key, bool (Service::*to)(const BookingNews&)) {
                (this->*to)({.template_key = key,
                             .booking_id = payment["booking_id"].integer(),
                             .booking = booking,
                             .more = of_payment(payment),
                             .dedupe_key = dedupe_key(key, payment["payment_id"].integer()),
                             .event_key = partial ? "payment.partial_received" : "payment.received"});
            };
            const bool in_part = partial && !switched_off(template_of("partial_payment_received"));
            // Of a charge by the clock they hear as such.
            if (payment.text_or("source") != "scheduled")
                tell(in_part ? "partial_payment_received" : "payment_received", &Service::tell_customer);
            // Money for a booking that has ended, or is paid, waits for a person.
            tell(payment.text_or("reconciliation") == "refund_due" ? "admin_refund_due" : "admin_payment_received",
                 &Service::tell_staff);
        });
    if (!done)
        throw std::logic_error("messaging cannot listen: " + done.error().cause());
}

}  // namespace svc::messaging
