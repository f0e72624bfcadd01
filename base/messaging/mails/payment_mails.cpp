// E-mails about payments to customers and staff, and about refunds.
#include "base/messaging/mails/listeners.hpp"
#include "base/sales/payment/record/hooks.hpp"

namespace svc::messaging {
namespace {

void report_review(Service& service, const json::Value& payment) {
    const auto id = payment["booking_id"].integer();
    const auto booking = service.parts.bookings.find(id);
    if (!booking)
        return;
    auto more = service.values.of_payment(payment, service.values.words_of_site());
    more.emplace("reason", payment.text_or("reason"));
    service.mailer.notify_staff({.template_key = "admin_payment_review",
                                 .booking_id = id,
                                 .booking = *booking,
                                 .more = std::move(more),
                                 .dedupe_key = service.mailer.dedupe_key("admin_payment_review", id)});
}

void report_payment(Service& service, const json::Value& payment) {
    const auto found = service.parts.bookings.find(payment["booking_id"].integer());
    if (!found || !payment["send_emails"].boolean())
        return;
    const json::Value& booking = *found;
    const bool partial = !payment["fully_paid"].boolean();
    const auto mail = [&](std::string_view key, const Words& words) {
        return BookingMail{.template_key = key,
                           .booking_id = payment["booking_id"].integer(),
                           .booking = booking,
                           .more = service.values.of_payment(payment, words),
                           .dedupe_key = service.mailer.dedupe_key(key, payment["payment_id"].integer()),
                           .event_key = partial ? "payment.partial_received" : "payment.received"};
    };
    const bool in_part = partial && !service.mailer.is_off(template_of("partial_payment_received"));
    // Scheduled charges have separate e-mails.
    if (payment.text_or("source") != "scheduled")
        service.mailer.notify_customer(
            mail(in_part ? "partial_payment_received" : "payment_received", service.values.words_of(booking)));
    // Staff must refund a payment for a booking that has ended or is already paid.
    service.mailer.notify_staff(
        mail(payment.text_or("reconciliation") == "refund_due" ? "admin_refund_due" : "admin_payment_received",
             service.values.words_of_site()));
}

void report_refund(Service& service, const json::Value& refund) {
    const auto id = refund["booking_id"].integer();
    const auto booking = service.parts.bookings.find(id);
    if (!booking)
        return;
    const Bookings::CreditNote note = service.parts.bookings.credit_note(refund);
    service.mailer.notify_customer(
        {.template_key = "booking_refunded",
         .booking_id = id,
         .booking = *booking,
         .more = {{"refund_amount_formatted",
                   service.values.of_payment(refund, service.values.words_of(*booking))["payment_amount_formatted"]},
                  {"refund_reason", refund.text_or("reason")},
                  {"credit_note_number", note.number},
                  {"credit_note_url", note.url}},
         .dedupe_key = service.mailer.dedupe_key("booking_refunded", refund["id"].integer())});
}

}  // namespace

void listen_to_payments(Service& service) {
    listen(service, payment::payment_in_review.name, "payment_in_review",
           [&service](const json::Array& arguments) { report_review(service, arguments.at(0)); });
    listen(service, payment::payment_completed.name, "payment_received",
           [&service](const json::Array& arguments) { report_payment(service, arguments.at(0)); });
    listen(service, payment::credit_note_due.name, "booking_refunded",
           [&service](const json::Array& arguments) { report_refund(service, arguments.at(0)); });
}

}  // namespace svc::messaging
